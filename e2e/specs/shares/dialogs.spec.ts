import type { Locator, Page } from '@playwright/test';
import { refused } from '../../fixtures/link-calls.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { openFolder, rowOf } from '../browse/actions.ts';
import { askToShare, choose, share, shareRows, watchShareCalls } from './actions.ts';

const dialog = (page: Page): Locator => page.getByRole('dialog');
const password = (page: Page): Locator => dialog(page).getByRole('textbox', { name: /^Password/ });
const created = { data: { sharelinkurl: 'http://sheaf.example/s/7dQmVtq2' } };
const address = '/shared?createDialog=true&sharePath=Server%2F2025%2Fdusk.jpg&shareUri=%2Fl1%2F2025%2Fdusk.jpg';

test('Share in the menu of a file creates a link with its address to copy @narrow [SHR-11] [SHR-31] [SHR-32] [SHR-33] [SHR-34] [SHR-35] [SHR-36] [SHR-37] [SHR-38] [SHR-55]', async ({
  owner: page,
  storage,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await storage.put({ 'letter.txt': 'Dear reader' });
  const calls = await watchShareCalls(page);
  calls.answer('create', created);
  await openFolder(page);
  await askToShare(page, 'letter.txt');
  await expect(dialog(page).getByRole('heading')).toHaveText('Create Share Link');
  await expect(dialog(page)).toContainText('letter.txt');
  await expect(dialog(page)).toContainText('Server');
  await expect(password(page)).toBeFocused();
  await expect(dialog(page).getByRole('radio')).toHaveCount(4);
  await expect(dialog(page).getByRole('radio', { name: 'NEVER EXPIRES' })).toBeChecked();
  await expectAccessible(page);
  await password(page).fill('tell no one');
  await dialog(page).getByRole('radio', { name: '7 DAYS' }).check();
  await dialog(page).getByRole('button', { name: 'Share', exact: true }).click();
  await expect(dialog(page).getByLabel('SHARE THIS')).toHaveValue('http://sheaf.example/s/7dQmVtq2');
  expect(calls.of('create')[0]?.form).toMatchObject({
    linkUri: expect.stringMatching(/^\/[^/]+\/letter\.txt$/),
    password: 'tell no one',
    expirationSeconds: '604800',
  });
  await expect(dialog(page)).toContainText('Protected by a password');
  await dialog(page).getByRole('button', { name: 'Copy' }).click();
  await expect(dialog(page).getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('http://sheaf.example/s/7dQmVtq2');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'FINISHED' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
});

test('a folder, the selected item and a whole link can be shared [SHR-57]', async ({ owner: page, storage }) => {
  await storage.put({ 'Photos/a.txt': '', 'b.txt': '' });
  const calls = await watchShareCalls(page);
  calls.answer('create', created);
  const give = async (): Promise<void> => {
    await dialog(page).getByRole('button', { name: 'Share', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'FINISHED' }).click();
  };
  await openFolder(page);
  await askToShare(page, 'Photos');
  await give();
  await rowOf(page, 'b.txt').click();
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Share' }).click();
  await give();
  await page.getByRole('checkbox', { name: 'Select Photos' }).check();
  await expect(page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Share' })).toHaveCount(0);
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of Server' }).click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  await give();
  const uris = calls.of('create').map(({ form }) => form['linkUri']?.replace(/^\/[^/]+/, ''));
  expect(uris).toEqual(['/Photos', '/b.txt', '']);
});

test('the address opens the dialog for its item at once; done with, the list is asked for again [SHR-19] [SHR-20]', async ({
  user: page,
}) => {
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: [] });
  calls.answer('create', created);
  await page.goto(address);
  await expect(dialog(page)).toContainText('dusk.jpg');
  await expect(dialog(page)).toContainText('Server / 2025');
  await expect.poll(() => calls.of('get_weblinks').length).toBe(1);
  calls.answer('get_weblinks', { data: [share('7dQmVtq2', 'dusk.jpg')] });
  await password(page).press('Enter');
  await dialog(page).getByRole('button', { name: 'FINISHED' }).click();
  await expect(shareRows(page)).toHaveText([/dusk\.jpg/]);
  await expect(page).toHaveURL('/shared');
  expect(calls.of('create')[0]?.form).toMatchObject({ linkUri: '/l1/2025/dusk.jpg', password: '', expirationSeconds: '0' });
});

test('a dialog that is given up changes nothing and asks for nothing [SHR-21]', async ({ user: page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: [share('s1', 'dusk.jpg')] });
  await page.goto(address);
  await expect(shareRows(page)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await choose(page, 'dusk.jpg', 'Settings');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect(calls.sent.map(({ name }) => name)).toEqual(['get_weblinks']);
});

test('without the address of an item nothing is sent [SHR-46]', async ({ user: page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: [] });
  await page.goto('/shared?createDialog=true&sharePath=Server%2Fdusk.jpg');
  await expect(dialog(page).getByRole('button', { name: 'Share', exact: true })).toBeDisabled();
  await password(page).press('Enter');
  await expect(dialog(page).getByRole('alert')).toContainText('choose Share in its menu');
  expect(calls.of('create')).toEqual([]);
});

test('a refusal to create is told where it was asked for, and what was entered stays [ERR-16]', async ({ user: page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: [] });
  calls.answer('create', refused(415, 'INVALID_SHARE_URI', ''));
  await page.goto(address);
  await password(page).fill('tell no one');
  await password(page).press('Enter');
  await expect(dialog(page).getByRole('alert')).toHaveText('An unknown error occurred trying to create the link [415]');
  await expect(password(page)).toHaveValue('tell no one');
  calls.answer('create', created);
  await password(page).press('Enter');
  await expect(dialog(page).getByLabel('SHARE THIS')).toBeVisible();
});

test('Settings changes the end and leaves the password alone; then the list is asked for again @narrow [SHR-10] [SHR-39] [SHR-40] [SHR-41] [SHR-43] [SHR-45]', async ({
  user: page,
}) => {
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: [share('s1', 'dusk.jpg', { hasPassword: true, expirationSeconds: 86_400 })] });
  calls.answer('update_weblink', { data: { status: 'ok' } });
  await page.goto('/shared');
  await choose(page, 'dusk.jpg', 'Settings');
  await expect(dialog(page).getByRole('heading')).toHaveText('dusk.jpg');
  await expect(password(page)).toHaveAttribute('placeholder', '[HAS PASSWORD]');
  await expect(dialog(page).getByRole('radio', { name: '24 HOURS' })).toBeChecked();
  await expectAccessible(page);
  await dialog(page).getByRole('radio', { name: '1 MONTH' }).check();
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog(page)).toHaveCount(0);
  const { rTag: _, ...sent } = calls.of('update_weblink')[0]?.form ?? {};
  expect(sent).toEqual({ weblinkUri: 's1', expirationSeconds: '2592000' });
  await expect.poll(() => calls.of('get_weblinks').length).toBe(2);
});

test('a password can be changed, taken away or given for the first time [SHR-42] [SHR-44]', async ({ user: page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: [share('s1', 'dusk.jpg', { hasPassword: true }), share('s2', 'plain.txt')] });
  calls.answer('update_weblink', { data: { status: 'ok' } });
  await page.goto('/shared');
  const save = (): Promise<void> => dialog(page).getByRole('button', { name: 'Save Changes' }).click();
  await choose(page, 'dusk.jpg', 'Settings');
  await password(page).fill('another');
  await save();
  await choose(page, 'dusk.jpg', 'Settings');
  await dialog(page).getByRole('button', { name: 'Remove password' }).click();
  await expect(password(page)).not.toHaveAttribute('placeholder', '[HAS PASSWORD]');
  await expect(dialog(page)).toContainText('The password will be removed.');
  await save();
  await choose(page, 'plain.txt', 'Settings');
  await expect(password(page)).not.toHaveAttribute('placeholder', '[HAS PASSWORD]');
  await password(page).fill('first');
  await save();
  await expect(dialog(page)).toHaveCount(0);
  expect(calls.of('update_weblink').map(({ form }) => [form['weblinkUri'], form['passwordChanged'], form['password']])).toEqual([
    ['s1', 'true', 'another'],
    ['s1', 'true', ''],
    ['s2', 'true', 'first'],
  ]);
});
