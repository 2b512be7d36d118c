import { type Browser, type Locator, type Page, expect } from '@playwright/test';
import { call } from '../../fixtures/call.ts';
import type { Sheaf } from '../../fixtures/sheaf.ts';
import { type Account, test as base, signUp } from '../../fixtures/test.ts';

export const spacesAddress = '/account/mysheaf?catid=spaces';

/** Another user, in a separate browser. */
export interface Person {
  readonly page: Page;
  readonly account: Account;
}

/** A second user, without links. */
async function newPerson(browser: Browser, sheaf: Sheaf, account: Account, viewport: Page['viewportSize']): Promise<Person> {
  const context = await browser.newContext({ baseURL: sheaf.url, viewport: viewport(), locale: 'en-GB' });
  const page = await context.newPage();
  await signUp(page, account);
  return { page, account };
}

interface Fixtures {
  /** The user "Mara Halm" with Premium, and the link "Server". */
  payer: Page;
  /** The user "Nora Lind", with nothing. */
  nora: Person;
}

export const test = base.extend<Fixtures>({
  payer: async ({ owner }, use) => {
    await call(owner, '/rest/purchase/premium_trial', { trialDays: '7' });
    await use(owner);
  },
  nora: async ({ browser, sheaf, unique, page }, use) => {
    const account = { name: 'Nora Lind', email: `nora-${unique}@lind.example`, password: 'correct horse battery' };
    const person = await newPerson(browser, sheaf, account, () => page.viewportSize());
    await use(person);
    await person.page.context().close();
  },
});

/** linkUri of the item at that path. */
export async function uriOf(page: Page, path: string): Promise<string> {
  const { item } = await call<{ item: { linkUri: string } }>(page, '/rest/content/resolve', { path });
  return item.linkUri;
}

export interface Made {
  readonly spaceOid: string;
  readonly userLinkId: string;
}

/** Creates a space in a folder of "Server" and invites people to it. */
export async function makeSpace(
  page: Page,
  spaceName: string,
  folder: string,
  more: { emails?: string; role?: string } = {},
): Promise<Made> {
  const path = folder === '' ? 'Server' : `Server/${folder}`;
  const storageLinkUri = await uriOf(page, path);
  const { space } = await call<{ space: Made }>(page, '/rest/space/create', {
    storageLinkUri,
    spaceName,
    description: spaceName,
    destinationPath: path,
    ...more,
  });
  return space;
}

/** The token for that page in the newest mail to that address. */
export async function tokenTo(sheaf: Sheaf, email: string, path: string): Promise<string> {
  let token = '';
  await expect
    .poll(async () => {
      token = (await sheaf.mailTo(email)).split(`${path}#token=`)[1]?.match(/^[\w-]+/)?.[0] ?? '';
      return token;
    })
    .not.toBe('');
  return token;
}

/** Address in the newest invitation mailed to that address. */
export const invitationTo = async (sheaf: Sheaf, email: string): Promise<string> =>
  `${sheaf.url}/invitation/space#token=${await tokenTo(sheaf, email, '/invitation/space')}`;

/** Invites a user, who accepts. */
export async function makeSharedSpace(payer: Page, nora: Person, sheaf: Sheaf, name: string, folder: string, role: string): Promise<Made> {
  const space = await makeSpace(payer, name, folder, { emails: nora.account.email, role });
  const token = await tokenTo(sheaf, nora.account.email, '/invitation/space');
  await call(nora.page, '/rest/space/accept', { token });
  return space;
}

/** The row of a space in the list. */
export const spaceRow = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: 'Spaces' }).locator(`li[aria-label=${JSON.stringify(name)}]`);

/** Opens a space's menu and chooses from it. */
export async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Menu of ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

export const dialog = (page: Page): Locator => page.getByRole('dialog');
export const button = (page: Page, name: string): Locator => dialog(page).getByRole('button', { name, exact: true });
export const subject = (page: Page): Locator => dialog(page).getByRole('textbox', { name: 'SUBJECT' });
export const folderField = (page: Page): Locator => dialog(page).getByRole('button', { name: /^FOLDER/ });

/** Opens nested folders in the folder field. */
export async function chooseFolder(page: Page, ...names: readonly string[]): Promise<void> {
  await folderField(page).click();
  for (const name of names)
    await dialog(page)
      .locator('li')
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click();
}
