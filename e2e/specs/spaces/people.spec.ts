import type { Page } from '@playwright/test';
import { deleteLink } from '@sheaf/contract';
import { startSheaf } from '../../fixtures/sheaf.ts';
import { linkFolder, sftpInfo } from '../../fixtures/storage.ts';
import { call, expect, expectAccessible, signUp } from '../../fixtures/test.ts';
import { openFolder, rowOf } from '../browse/actions.ts';
import { button, choose, dialog, makeSharedSpace, makeSpace, spaceRow, spacesAddress, test, tokenTo } from './actions.ts';

const members = (page: Page) => dialog(page).getByRole('list', { name: 'Members' });
const memberRow = (page: Page, name: string) => members(page).locator(`li[aria-label=${JSON.stringify(name)}]`);
const files = { 'Photos/dusk.jpg': 'x', 'Photos/2026/dawn.jpg': 'y' } as const;

test('a member finds the space at home, among the spaces and as a folder with its files @narrow [SPC-31]', async ({
  payer,
  nora,
  sheaf,
  storage,
}) => {
  await storage.put({ ...files, 'Private/secret.txt': 's' });
  await makeSharedSpace(payer, nora, sheaf, 'Holidays', 'Photos', 'viewer');
  const { page } = nora;
  await page.goto('/account/mysheaf');
  await expect(page.getByRole('heading', { name: 'Spaces' })).toBeVisible();
  await page.getByRole('link', { name: 'Holidays', exact: true }).click();
  await expect(page).toHaveURL('/browse/Holidays');
  await expect(page.getByRole('grid').locator('[role=row][aria-label]')).toHaveCount(2);
  await expect(rowOf(page, 'dusk.jpg')).toBeVisible();
  await page.goto(spacesAddress);
  await expect(spaceRow(page, 'Holidays')).toContainText('SFTP of Mara Halm');
  await expect(spaceRow(page, 'Holidays')).toContainText('Viewer');
  await expectAccessible(page);
});

test('a viewer reads, and is offered nothing that changes files; as an editor they are @narrow', async ({
  payer,
  nora,
  sheaf,
  storage,
}) => {
  await storage.put(files);
  await makeSharedSpace(payer, nora, sheaf, 'Holidays', 'Photos', 'viewer');
  const { page } = nora;
  await openFolder(page, '/browse/Holidays');
  await expect(rowOf(page, 'dusk.jpg')).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Upload|New folder)$/ })).toHaveCount(0);
  await rowOf(page, 'dusk.jpg').click();
  await page.keyboard.press('Delete');
  await page.keyboard.press('F2');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByLabel('New name')).toHaveCount(0);
  await page.getByRole('button', { name: 'Menu of dusk.jpg' }).click();
  await expect(page.getByRole('menuitem', { name: 'Download' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /^(Rename|Delete|Share)$/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of Holidays', exact: true }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Edit', 'Usage', 'Connect', 'Unlink']);
  await openFolder(page, '/browse/Holidays');

  await payer.goto(spacesAddress);
  await choose(payer, 'Holidays', 'Members');
  await memberRow(payer, 'Nora Lind').getByLabel('Role of Nora Lind').selectOption('Editor');
  await expect
    .poll(async () => {
      const answer = await page.request.get('/rest/space/list');
      const { data } = (await answer.json()) as { data: { spaces: { role: string }[] } };
      return data.spaces[0]?.role;
    })
    .toBe('editor');
  await openFolder(page, '/browse/Holidays');
  await page.getByRole('button', { name: 'New folder' }).click();
  await page.getByLabel('New name').fill('From Nora');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'From Nora')).toBeVisible();
  await expect.poll(() => storage.names('Photos')).toContain('From Nora');
});

test('the owner invites, is told who could not be invited, changes roles, and removes @narrow', async ({
  payer: page,
  nora,
  sheaf,
  storage,
  unique,
}) => {
  await storage.put(files);
  await makeSharedSpace(page, nora, sheaf, 'Holidays', 'Photos', 'viewer');
  await page.goto(spacesAddress);
  await choose(page, 'Holidays', 'Members');
  await expect(page).toHaveURL(/&members=/);
  await expect(memberRow(page, 'Mara Halm')).toContainText('(you)');
  await expect(memberRow(page, 'Mara Halm').getByRole('button')).toHaveCount(0);
  await expectAccessible(page);
  const sam = `sam-${unique}@lind.example`;
  await dialog(page).getByRole('textbox', { name: 'E-mail addresses' }).fill(`${sam}, nonsense, ${nora.account.email}`);
  await dialog(page).getByLabel('Role of those invited').selectOption('Manager');
  await button(page, 'Invite').click();
  await expect(dialog(page)).toContainText(`Invited ${sam}`);
  await expect(dialog(page)).toContainText('nonsense: Please enter a valid e-mail address.');
  await expect(dialog(page).locator('[data-refused]')).toHaveCount(2);
  await expect(dialog(page).getByRole('textbox', { name: 'E-mail addresses' })).toHaveValue(`nonsense, ${nora.account.email}`);
  await expect(memberRow(page, sam)).toContainText('Invited');
  await expect(memberRow(page, sam).getByLabel(`Role of ${sam}`)).toHaveValue('manager');
  await expectAccessible(page);

  await memberRow(page, sam)
    .getByRole('button', { name: `Remove ${sam}` })
    .click();
  await expect(members(page)).toContainText(`Take the invitation of ${sam} back?`);
  await members(page).getByRole('button', { name: 'Keep' }).click();
  await expect(memberRow(page, sam)).toContainText('Invited');
  for (const name of [sam, 'Nora Lind']) {
    await memberRow(page, name)
      .getByRole('button', { name: `Remove ${name}` })
      .click();
    await members(page).getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(memberRow(page, name)).toHaveCount(0);
  }
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(spacesAddress);
  await expect(spaceRow(page, 'Holidays')).toContainText('Just you');
  await nora.page.goto(spacesAddress);
  await expect(nora.page.getByText('You are in no space yet')).toBeVisible();
  await nora.page.goto('/browse/Holidays');
  await expect(nora.page.getByRole('alert').filter({ hasText: 'There is no link named Holidays' })).toBeVisible();
});

test('a manager can invite; a viewer only sees the members @narrow', async ({ payer, nora, sheaf, storage }) => {
  await storage.put(files);
  const { spaceOid } = await makeSharedSpace(payer, nora, sheaf, 'Holidays', 'Photos', 'viewer');
  const { page } = nora;
  await page.goto(`${spacesAddress}&members=${spaceOid}`);
  await expect(members(page).getByRole('listitem')).toHaveCount(2);
  await expect(memberRow(page, 'Mara Halm')).toContainText('Owner');
  await expect(members(page).getByRole('combobox')).toHaveCount(0);
  await expect(button(page, 'Invite')).toHaveCount(0);
  await expectAccessible(page);
  const answer = await page.request.get(`/rest/space/members?spaceOid=${spaceOid}`);
  const { data } = (await answer.json()) as { data: { members: { memberId: string; isYou: boolean }[] } };
  const memberId = data.members.find(({ isYou }) => isYou)?.memberId ?? '';
  await call(payer, '/rest/space/change_member', { spaceOid, memberId, role: 'manager' });
  await page.reload();
  await expect(button(page, 'Invite')).toBeVisible();
  await expect(memberRow(page, 'Mara Halm').getByRole('combobox')).toHaveCount(0);
});

test('when the owner unlinks the storage, members are told in the list and at the folder’s address @narrow', async ({
  payer,
  nora,
  sheaf,
  storage,
}) => {
  await storage.put(files);
  await makeSharedSpace(payer, nora, sheaf, 'Holidays', 'Photos', 'editor');
  const { page } = nora;
  await openFolder(page, '/browse/Holidays');
  await expect(rowOf(page, 'dusk.jpg')).toBeVisible();
  const links = await payer.request.get('/rest/ws/all_links');
  const { data } = (await links.json()) as { data: { activeSources: { links: { name: string; userLinkId: string }[] }[] } };
  const server = data.activeSources.flatMap((group) => group.links).find(({ name }) => name === 'Server');
  await call(payer, deleteLink.path, { userLinkId: server?.userLinkId ?? '' });

  await page.goto('/browse/Holidays');
  const told = 'Mara Halm has unlinked the storage of "Holidays". Its files are still there, but cannot be reached through Sheaf.';
  await expect(page.getByRole('alert')).toContainText(told);
  await expect(page.getByText('This folder is empty')).toHaveCount(0);
  await expect(rowOf(page, 'dusk.jpg')).toHaveCount(0);
  await page.goto(spacesAddress);
  await expect(spaceRow(page, 'Holidays')).toContainText(told);
  await expect(spaceRow(page, 'Holidays').getByRole('img', { name: 'Needs attention' })).toBeVisible();
  await expectAccessible(page);

  await page.goto('/account/mysheaf');
  await expect(page.getByRole('region', { name: 'Links list' })).toContainText(told);
  await expect(page.getByRole('button', { name: 'Fix Holidays' })).toHaveCount(0);

  await payer.goto(spacesAddress);
  await expect(spaceRow(payer, 'Holidays')).toContainText('You have unlinked its storage.');
  await spaceRow(payer, 'Holidays').getByRole('button', { name: 'Change folder' }).click();
  await expect(dialog(payer).getByRole('heading', { name: 'Change folder', exact: true })).toBeVisible();
  await expectAccessible(payer);
});

test("when the owner's subscription has ended members are told, and the owner is led to a new one", async ({
  browser,
  storage,
  unique,
}) => {
  await storage.put(files);
  const owner = { name: 'Mara Halm', email: `mara-${unique}@halm.example`, password: 'correct horse battery' };
  const sheaf = await startSheaf({ SHEAF_OPERATORS: owner.email });
  const contexts = await Promise.all([browser.newContext({ baseURL: sheaf.url }), browser.newContext({ baseURL: sheaf.url })]);
  try {
    const [payer, page] = await Promise.all(contexts.map((context) => context.newPage()));
    if (!payer || !page) throw new Error('two pages were asked for');
    const account = { ...owner, name: 'Nora Lind', email: `nora-${unique}@lind.example` };
    await signUp(payer, owner);
    await signUp(page, account);
    await call(payer, '/rest/auth/email/verify', { token: await tokenTo(sheaf, owner.email, '/account/verifyemail') });
    await linkFolder(payer, 'Server', sftpInfo(storage.server, storage.path));
    await call(payer, '/rest/purchase/premium_trial', { trialDays: '7' });
    await makeSharedSpace(payer, { page, account }, sheaf, 'Holidays', 'Photos', 'viewer');
    await call(payer, '/rest/operator/sandbox_clock', { days: '8' });

    await page.goto(spacesAddress);
    await expect(spaceRow(page, 'Holidays')).toContainText("Mara Halm's subscription to Spaces has ended.");
    await page.goto('/browse/Holidays');
    await expect(page.getByRole('alert')).toContainText('The files of "Holidays" are kept where they are');
    await payer.goto('/browse/Holidays');
    await expect(payer.getByRole('alert')).toContainText('can be reached again when you renew it');
    await payer.getByRole('main').getByRole('link', { name: 'Get Spaces' }).click();
    await expect(payer).toHaveURL('/add-ons/spaces');
    await payer.goto(spacesAddress);
    await spaceRow(payer, 'Holidays').getByRole('link', { name: 'Get Spaces' }).click();
    await expect(payer).toHaveURL('/add-ons/spaces');
  } finally {
    await Promise.all(contexts.map((context) => context.close()));
    await sheaf.stop();
  }
});

test('a member leaves after confirmation, and the owner ends a space; its files stay @narrow', async ({ payer, nora, sheaf, storage }) => {
  await storage.put(files);
  await makeSharedSpace(payer, nora, sheaf, 'Holidays', 'Photos', 'editor');
  const { page } = nora;
  await page.goto(spacesAddress);
  await choose(page, 'Holidays', 'Leave');
  await expect(dialog(page)).toContainText('come back only when Mara Halm invites you again');
  await expectAccessible(page);
  await button(page, 'Stay').click();
  await expect(spaceRow(page, 'Holidays')).toBeVisible();
  await choose(page, 'Holidays', 'Leave');
  await button(page, 'Leave space').click();
  await expect(page.getByText('You are in no space yet')).toBeVisible();

  await payer.goto(spacesAddress);
  await choose(payer, 'Holidays', 'End');
  await expect(dialog(payer)).toContainText('The files stay where they are');
  await button(payer, 'End space').click();
  await expect(payer.getByText('You are in no space yet')).toBeVisible();
  expect(await storage.names('Photos')).toEqual(['2026', 'dusk.jpg']);
});

test('a list that cannot be loaded says why, and can be loaded again', async ({ payer: page, storage }) => {
  await storage.put(files);
  await makeSpace(page, 'Holidays', 'Photos');
  await page.route('**/rest/space/list', (route) => route.abort());
  await page.goto(spacesAddress);
  await expect(page.getByRole('alert').filter({ hasText: 'Your spaces cannot be shown' })).toBeVisible();
  await page.unroute('**/rest/space/list');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(spaceRow(page, 'Holidays')).toBeVisible();
});

test("the owner reads the space's log from its menu; a viewer is not offered it", async ({ payer, nora, sheaf, storage }) => {
  await storage.put(files);
  await makeSharedSpace(payer, nora, sheaf, 'Holidays', 'Photos', 'viewer');
  await payer.goto(spacesAddress);
  await choose(payer, 'Holidays', 'Activity');
  await expect(payer.getByRole('listitem').filter({ hasText: 'Nora Lind joined the space Holidays' })).toBeVisible();
  await nora.page.goto(spacesAddress);
  await nora.page.getByRole('button', { name: 'Menu of Holidays', exact: true }).click();
  await expect(nora.page.getByRole('menuitem', { name: 'Members' })).toBeVisible();
  await expect(nora.page.getByRole('menuitem', { name: 'Activity' })).toHaveCount(0);
});
