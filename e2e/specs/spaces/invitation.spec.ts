import type { Page } from '@playwright/test';
import { call, expect, expectAccessible } from '../../fixtures/test.ts';
import { button, dialog, invitationTo, makeSpace, spaceRow, spacesAddress, test, tokenTo } from './actions.ts';

/** Records every address that the page requests from now on, with its referrer. */
function watchAddresses(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => seen.push(`${request.url().split('#')[0] ?? ''} ${request.headers()['referer'] ?? ''}`));
  return seen;
}
const tokenIn = (address: string): string => address.split('token=')[1] ?? '';

test('a user with an account signs in and accepts; the token is never in a query @narrow', async ({ payer, nora, sheaf, storage }) => {
  await storage.put({ 'Photos/dusk.jpg': 'x' });
  await makeSpace(payer, 'Holidays', 'Photos', { emails: nora.account.email, role: 'editor' });
  const address = await invitationTo(sheaf, nora.account.email);
  const { page, account } = nora;
  await page.context().clearCookies();
  const addresses = watchAddresses(page);
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Mara Halm shares Holidays with you' })).toBeVisible();
  await expect(page.getByText('You will be able to view and change its files.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept' })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Email' }).click();
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/invitation/space');
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page).toHaveURL('/browse/Holidays');
  await expect(page.getByRole('row', { name: 'dusk.jpg', exact: true })).toBeVisible();
  expect(addresses.filter((one) => one.includes(tokenIn(address)))).toEqual([]);
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toContain(tokenIn(address));
});

test('a visitor without an account signs up and accepts @narrow', async ({ payer, browser, sheaf, storage, unique }) => {
  await storage.put({ 'Photos/dusk.jpg': 'x' });
  const email = `sam-${unique}@lind.example`;
  await makeSpace(payer, 'Holidays', 'Photos', { emails: email, role: 'viewer' });
  const context = await browser.newContext({ baseURL: sheaf.url });
  const page = await context.newPage();
  await page.goto(await invitationTo(sheaf, email));
  await page.getByRole('link', { name: 'Sign up', exact: true }).click();
  await page.getByRole('link', { name: 'Email' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Sam Lind');
  await expect(page.getByLabel('E-mail address')).toHaveValue(email);
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page).toHaveURL('/browse/Holidays');
  await expect(page.getByRole('row', { name: 'dusk.jpg', exact: true })).toBeVisible();
  await context.close();
});

test('an invitation for another person says who it is for, and lets them sign in @narrow', async ({
  payer,
  nora,
  sheaf,
  storage,
  unique,
}) => {
  await storage.put({ 'Photos/': '' });
  const email = `sam-${unique}@lind.example`;
  await makeSpace(payer, 'Holidays', 'Photos', { emails: email });
  const { page, account } = nora;
  await page.goto(await invitationTo(sheaf, email));
  await expect(page.getByRole('alert')).toHaveText(`This invitation is for ${email}. You are signed in as ${account.email}.`);
  await expect(page.getByRole('button', { name: 'Accept' })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign in with another account' }).click();
  await expect(page).toHaveURL(/\/login\/start\?redirectUrl=%2Finvitation%2Fspace&/);
  expect((await page.request.get('/rest/space/list')).ok()).toBe(false);
});

test('declining asks for confirmation, needs no account, and spends the invitation @narrow', async ({
  payer,
  browser,
  sheaf,
  storage,
  unique,
}) => {
  await storage.put({ 'Photos/': '' });
  const email = `sam-${unique}@lind.example`;
  await makeSpace(payer, 'Holidays', 'Photos', { emails: email });
  const address = await invitationTo(sheaf, email);
  const context = await browser.newContext({ baseURL: sheaf.url });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('button', { name: 'Decline' }).click();
  await button(page, 'Not now').click();
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Decline' }).click();
  await button(page, 'Decline').click();
  await expect(page.getByRole('heading', { name: 'You have declined the invitation.' })).toBeVisible();
  await page.goto('/about');
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible();
  await expectAccessible(page);
  await context.close();
});

test('an address without a token says what to do', async ({ nora: { page } }) => {
  await page.goto('/invitation/space');
  await expect(page.getByRole('heading', { name: 'Which invitation?' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to Spaces' }).click();
  await expect(page).toHaveURL(spacesAddress);
});

test('invitations to a verified address appear in the list of spaces, to be accepted or declined there @narrow [SPC-31]', async ({
  payer,
  nora,
  sheaf,
  storage,
}) => {
  await storage.put({ 'Photos/': '', 'Papers/': '' });
  const { page, account } = nora;
  await call(page, '/rest/auth/email/verify', { token: await tokenTo(sheaf, account.email, '/account/verifyemail') });
  await makeSpace(payer, 'Holidays', 'Photos', { emails: account.email, role: 'viewer' });
  await makeSpace(payer, 'Work', 'Papers', { emails: account.email, role: 'manager' });
  await page.goto(spacesAddress);
  const invitation = (name: string) => page.getByRole('list', { name: 'Invitations' }).locator(`li[aria-label=${JSON.stringify(name)}]`);
  await expect(invitation('Holidays')).toContainText('Mara Halm invites you to Holidays.');
  await expectAccessible(page);
  await invitation('Work').getByRole('button', { name: 'Decline' }).click();
  await button(page, 'Decline').click();
  await expect(invitation('Work')).toHaveCount(0);
  await invitation('Holidays').getByRole('button', { name: 'Accept' }).click();
  await expect(spaceRow(page, 'Holidays')).toContainText('Viewer');
  await expect(page.getByRole('list', { name: 'Invitations' })).toHaveCount(0);
});
