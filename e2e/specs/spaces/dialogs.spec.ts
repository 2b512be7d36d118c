import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { call, expect, expectAccessible } from '../../fixtures/test.ts';
import { countCalls } from '../browse/actions.ts';
import { button, choose, chooseFolder, dialog, folderField, makeSpace, spaceRow, spacesAddress, subject, test, uriOf } from './actions.ts';

const formOf = (body: string): Record<string, string> => Object.fromEntries(new URLSearchParams(body));

test('a folder is shared with subject, folder and addresses, and the new space is listed @narrow [SPC-01] [SPC-02] [SPC-03] [SPC-04] [SPC-05] [SPC-06] [SPC-11] [SPC-12] [SPC-13] [SPC-14] [SPC-15] [SPC-17] [SPC-18] [SPC-25]', async ({
  payer: page,
  storage,
  unique,
}) => {
  await storage.put({ 'Photos/2026/': '' });
  await page.goto(spacesAddress);
  await expect(page.getByText('You are in no space yet')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Share Storage' }).click();
  await expect(dialog(page).getByRole('heading', { name: 'Share Storage', exact: true })).toBeVisible();
  await expect(subject(page)).toBeFocused();
  await expect(folderField(page)).toHaveText('Where do you want to store the files?');
  await expect(dialog(page).getByRole('textbox', { name: 'EMAILS' })).toHaveJSProperty('tagName', 'TEXTAREA');
  await expect(button(page, 'Share')).toBeDisabled();
  await subject(page).fill('  ');
  await chooseFolder(page, 'Server', 'Photos');
  await expect(folderField(page)).toContainText('Server / Photos');
  await expect(button(page, 'Share')).toBeDisabled();
  await subject(page).fill('Holidays');
  await expect(button(page, 'Share')).toBeEnabled();
  await expectAccessible(page);
  const emails = `nora-${unique}@lind.example, abc`;
  await dialog(page).getByRole('textbox', { name: 'EMAILS' }).fill(emails);
  const [request] = await Promise.all([page.waitForRequest(/\/rest\/space\/create$/), button(page, 'Share').click()]);
  const { rTag, ...sent } = formOf(request.postData() ?? '');
  expect(rTag).not.toBe('');
  expect(sent).toEqual({
    storageLinkUri: await uriOf(page, 'Server/Photos'),
    destinationPath: 'Server/Photos',
    spaceName: 'Holidays',
    description: 'Holidays',
    emails,
  });
  await expect(dialog(page).getByRole('heading', { name: 'Your new space is ready!', exact: true })).toBeVisible();
  await expect(dialog(page)).toContainText(`Invited nora-${unique}@lind.example`);
  await expect(dialog(page)).toContainText('abc: Please enter a valid e-mail address.');
  await expectAccessible(page);
  await button(page, 'OK').click();
  await expect(page).toHaveURL(spacesAddress);
  await expect(spaceRow(page, 'Holidays')).toContainText('Server/Photos');
  await expect(spaceRow(page, 'Holidays')).toContainText('Owner');
  await expectAccessible(page);
});

test('the folder of a space is found by the keyboard, created in place, and by the names above it', async ({ payer: page, storage }) => {
  await storage.put({ 'Photos/': '', 'Papers/': '' });
  await page.goto(`${spacesAddress}&createDialog=true`);
  await expect(subject(page)).toBeFocused();
  await page.keyboard.type('By keys');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByText('SELECT FOLDER', { exact: true })).toBeVisible();
  await dialog(page)
    .getByRole('button', { name: /^Server/ })
    .focus();
  await page.keyboard.press('Enter');
  const folders = dialog(page).getByRole('list', { name: 'Folders' }).getByRole('listitem');
  await expect(folders).toHaveText(['Papers', 'Photos']);
  await dialog(page).getByRole('button', { name: 'Photos' }).press('Enter');
  await expect(dialog(page).getByRole('navigation', { name: 'Breadcrumb' }).locator('[aria-current]')).toHaveText('Photos');
  await dialog(page).getByRole('navigation', { name: 'Breadcrumb' }).getByRole('button', { name: 'Server' }).press('Enter');
  await expect(folders).toHaveCount(2);
  await dialog(page).getByRole('button', { name: 'Add folder' }).press('Enter');
  await page.getByLabel('New name').fill('Shared');
  await page.getByLabel('New name').press('Enter');
  await expect(folders).toHaveText(['Papers', 'Photos', 'Shared']);
  await dialog(page).getByRole('button', { name: 'Add folder' }).click();
  await page.getByLabel('New name').press('Escape');
  await expect(folders).toHaveCount(4);
  await expect(dialog(page)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Shared', exact: true }).press('Enter');
  await expect(folderField(page)).toContainText('Server / Shared');
  await subject(page).press('Enter');
  await expect(dialog(page).getByRole('heading', { name: 'Your new space is ready!', exact: true })).toBeVisible();
  expect(await storage.names()).toEqual(['New Folder', 'Papers', 'Photos', 'Shared']);
});

test('addresses are optional, and the address of the page reopens the dialog @narrow [SPC-19] [RT-065]', async ({
  payer: page,
  storage,
}) => {
  await storage.put({ 'Photos/': '' });
  await page.goto(`${spacesAddress}&createDialog=true`);
  await expect(dialog(page).getByRole('heading', { name: 'Share Storage', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page).toHaveURL(spacesAddress);
  await page.goto(`${spacesAddress}&createDialog=true`);
  await subject(page).fill('Alone');
  await chooseFolder(page, 'Server', 'Photos');
  await button(page, 'Share').click();
  await button(page, 'OK').click();
  await expect(spaceRow(page, 'Alone')).toContainText('Just you');
});

test('a space is renamed; its folder stays, and an unchanged name calls nothing @narrow [SPC-07] [SPC-08] [SPC-09] [SPC-10] [SPC-16] [SPC-20] [SPC-21] [SPC-22]', async ({
  payer: page,
  storage,
}) => {
  await storage.put({ 'Photos/': '' });
  const { spaceOid } = await makeSpace(page, 'Holidays', 'Photos');
  const updates = countCalls(page, 'update');
  await page.goto(spacesAddress);
  await choose(page, 'Holidays', 'Rename');
  await expect(dialog(page).getByRole('heading', { name: 'Rename', exact: true })).toBeVisible();
  await expect(subject(page)).toHaveValue('Holidays');
  const folder = dialog(page).getByRole('textbox', { name: 'FOLDER' });
  await expect(folder).toHaveValue('Server/Photos');
  await expect(folder).toHaveAttribute('readonly', '');
  await expectAccessible(page);
  await button(page, 'Save Changes').click();
  await expect(dialog(page)).toHaveCount(0);
  expect(updates.count()).toBe(0);

  await choose(page, 'Holidays', 'Rename');
  await subject(page).fill('   ');
  await expect(button(page, 'Save Changes')).toBeDisabled();
  await subject(page).fill('Summer');
  await subject(page).press('Enter');
  await expect(spaceRow(page, 'Summer')).toBeVisible();
  await expect(page).toHaveURL(spacesAddress);
  const { rTag, ...sent } = formOf(updates.bodies()[0] ?? '');
  expect(rTag).not.toBe('');
  expect(sent).toEqual({ spaceOid, spaceName: 'Summer', description: 'Summer' });
  expect(updates.count()).toBe(1);
});

test('Edit on the link of a space opens the Spaces dialog, which renames the link alone and only when its name changed @narrow [LNK-20] [SPC-23] [SRC-26]', async ({
  payer: page,
  storage,
}) => {
  await storage.put({ 'Photos/': '' });
  const { userLinkId } = await makeSpace(page, 'Holidays', 'Photos');
  const changes = countCalls(page, 'update_link');
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of Holidays', exact: true }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Edit', 'Share', 'Usage', 'Connect']);
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await expect(dialog(page).getByRole('heading', { name: 'Rename', exact: true })).toBeVisible();
  await expect(dialog(page).getByRole('textbox', { name: 'FOLDER' })).toHaveValue('Server/Photos');
  await expectAccessible(page);
  await button(page, 'Save Changes').click();
  await expect(dialog(page)).toHaveCount(0);
  expect(changes.count()).toBe(0);
  await choose(page, 'Holidays', 'Edit');
  await subject(page).fill('My holidays');
  await button(page, 'Save Changes').click();
  await expect(page.getByRole('link', { name: 'My holidays', exact: true })).toBeVisible();
  const { rTag, ...sent } = formOf(changes.bodies()[0] ?? '');
  expect(rTag).not.toBe('');
  expect(sent).toEqual({ userLinkId, spaceName: 'My holidays' });
  const { spaces } = await (
    await page.request.get('/rest/space/list')
  )
    .json()
    .then(({ data }: { data: { spaces: { name: string }[] } }) => data);
  expect(spaces.map(({ name }) => name)).toEqual(['Holidays']);
});

test('links to spaces are not offered as the folder of another space', async ({ payer: page, storage }) => {
  await storage.put({ 'Photos/': '' });
  await makeSpace(page, 'Holidays', 'Photos');
  await page.goto(`${spacesAddress}&createDialog=true`);
  await folderField(page).click();
  await expect(dialog(page).getByRole('list', { name: 'Links' }).getByRole('button')).toHaveText([/^Server/]);
});

test('a session that has ended leads to sign-in, and back to the open dialog [SPC-24]', async ({ payer: page, storage }) => {
  await storage.put({ 'Photos/': '' });
  await page.goto(`${spacesAddress}&createDialog=true`);
  await subject(page).fill('Holidays');
  await chooseFolder(page, 'Server', 'Photos');
  await expect(folderField(page)).toContainText('Photos');
  await page.context().clearCookies();
  await button(page, 'Share').click();
  await expect(page).toHaveURL(/\/login\/start\?redirectUrl=%2Faccount%2Fmysheaf%3Fcatid%3Dspaces%26createDialog%3Dtrue(&|$)/);
});

test('without a subscription the refusal leads to one, and declining that keeps what was typed @narrow [SPC-27] [SPC-28]', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'Photos/': '' });
  await page.goto(`${spacesAddress}&createDialog=true`);
  await subject(page).fill('Holidays');
  await chooseFolder(page, 'Server', 'Photos');
  await button(page, 'Share').click();
  await expect(dialog(page).getByRole('heading', { name: 'No Spaces Subscription', exact: true })).toBeVisible();
  await expect(dialog(page)).toContainText('You need a Spaces subscription to create a space.');
  await expectAccessible(page);
  await button(page, 'Cancel').click();
  await expect(subject(page)).toHaveValue('Holidays');
  await expect(folderField(page)).toContainText('Server / Photos');
  await button(page, 'Share').click();
  await dialog(page).getByRole('link', { name: 'Get Spaces' }).click();
  await expect(page).toHaveURL('/add-ons/spaces');
});

test('a missing folder and a taken name are reported in the dialog [SPC-30]', async ({ payer: page, storage }) => {
  await storage.put({ 'Photos/': '', 'Papers/': '' });
  await makeSpace(page, 'Holidays', 'Papers');
  await page.goto(`${spacesAddress}&createDialog=true`);
  await subject(page).fill('Gone');
  await chooseFolder(page, 'Server', 'Photos');
  await expect(dialog(page).getByText('This folder is empty.')).toBeVisible();
  await rm(join(storage.path, 'Photos'), { recursive: true });
  await button(page, 'Share').click();
  await expect(dialog(page).getByRole('alert')).toHaveText('This folder cannot be used for a space. Please choose a different folder.');
  await dialog(page).getByRole('navigation', { name: 'Breadcrumb' }).getByRole('button', { name: 'Server' }).click();
  await expect(dialog(page).getByRole('alert')).toHaveCount(0);
  await subject(page).fill('Holidays');
  await button(page, 'Share').click();
  await expect(dialog(page).getByRole('alert')).toHaveText('You already have an space named Holidays. Please enter a different name.');
});

test("the server's message about a space that has ended meanwhile is shown [SPC-29]", async ({ payer: page, storage }) => {
  await storage.put({ 'Photos/': '' });
  const { spaceOid } = await makeSpace(page, 'Holidays', 'Photos');
  await page.goto(spacesAddress);
  await choose(page, 'Holidays', 'Rename');
  await subject(page).fill('Summer');
  await call(page, '/rest/space/remove', { spaceOid });
  await button(page, 'Save Changes').click();
  await expect(dialog(page).getByRole('alert')).toHaveText('This space could not be found. It may have ended.');
});

test('a dialog opened from a menu returns the focus to its button', async ({ payer: page, storage }) => {
  await storage.put({ 'Photos/': '' });
  await makeSpace(page, 'Holidays', 'Photos');
  await page.goto(spacesAddress);
  for (const item of ['Rename', 'Members', 'End']) {
    await choose(page, 'Holidays', item);
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Menu of Holidays', exact: true })).toBeFocused();
  }
});
