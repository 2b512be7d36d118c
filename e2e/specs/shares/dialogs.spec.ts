import type { Locator, Page } from '@playwright/test';
import { hold, watchRequests } from '../../fixtures/held.ts';
import { refused } from '../../fixtures/link-calls.ts';
import { call, expect, expectAccessible, test } from '../../fixtures/test.ts';
import { openFolder, rowOf } from '../browse/actions.ts';
import { askToShare, choose, shareItem, shareRows, watchShareCalls } from './actions.ts';

const dialog = (page: Page): Locator => page.getByRole('dialog');
const password = (page: Page): Locator => dialog(page).getByRole('textbox', { name: /^Password/ });
const shareCalls = /\/rest\/weblink\//;

/** Address of the create dialog for the file "Letter" of the link "Server". */
async function createAddress(page: Page): Promise<string> {
  const { item } = await call<{ item: { linkUri: string } }>(page, '/rest/content/resolve', { path: 'Server/2025/letter.txt' });
  return `/shared?${new URLSearchParams({ createDialog: 'true', sharePath: 'Server/2025/letter.txt', shareUri: item.linkUri })}`;
}

test('Share in the menu of a file creates a link with its address to copy @narrow [SHR-11] [SHR-31] [SHR-32] [SHR-33] [SHR-34] [SHR-35] [SHR-36] [SHR-37] [SHR-38] [SHR-55]', async ({
  owner: page,
  storage,
  context,
  request,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await storage.put({ 'letter.txt': 'Dear reader' });
  const calls = watchRequests(page, /\/weblink\/create$/);
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
  await expect(dialog(page).getByLabel('SHARE THIS')).toHaveValue(/^http.*\/s\/[^/]+$/);
  const address = await dialog(page).getByLabel('SHARE THIS').inputValue();
  expect(calls.sent[0]?.form).toMatchObject({
    linkUri: expect.stringMatching(/^\/[^/]+\/letter\.txt$/),
    password: 'tell no one',
    expirationSeconds: '604800',
  });
  await expect(dialog(page)).toContainText('Protected by a password');
  await dialog(page).getByRole('button', { name: 'Copy' }).click();
  await expect(dialog(page).getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'FINISHED' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
  const weblinkId = new URL(address).pathname.split('/').at(-1) ?? '';
  const wrong = await request.post('/rest/weblink/open', { form: { weblinkId, password: 'wrong' } });
  expect(((await wrong.json()) as { errorCode: number }).errorCode).toBe(422);
  const right = await request.post('/rest/weblink/open', { form: { weblinkId, password: 'tell no one' } });
  expect(((await right.json()) as { data: object }).data).toMatchObject({
    name: 'letter.txt',
    isFolder: false,
    expirationSeconds: 604_800,
  });
});

test('a folder, the selected item and a whole link can be shared [SHR-57]', async ({ owner: page, storage }) => {
  await storage.put({ 'Photos/a.txt': '', 'b.txt': '' });
  const calls = watchRequests(page, /\/weblink\/create$/);
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
  await page.goto('/account/mysheaf');
  await page.getByRole('button', { name: 'Menu of Server' }).click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  await give();
  const uris = calls.sent.map(({ form }) => form['linkUri']?.replace(/^\/[^/]+/, ''));
  expect(uris).toEqual(['/Photos', '/b.txt', '']);
  await page.goto('/shared');
  await expect(shareRows(page)).toHaveText([/Server/, /b\.txt/, /Photos/]);
});

test('the address opens the dialog for its item at once; afterwards the list is loaded again [SHR-19] [SHR-20]', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ '2025/letter.txt': 'Dear reader' });
  const calls = watchRequests(page, shareCalls);
  await page.goto(await createAddress(page));
  await expect(dialog(page)).toContainText('letter.txt');
  await expect(dialog(page)).toContainText('Server / 2025');
  await password(page).press('Enter');
  await dialog(page).getByRole('button', { name: 'FINISHED' }).click();
  await expect(shareRows(page)).toHaveText([/letter\.txt/]);
  await expect(page).toHaveURL('/shared');
  const created = calls.sent.findIndex(({ name }) => name === 'create');
  expect(calls.sent[created]?.form).toMatchObject({ password: '', expirationSeconds: '0' });
  expect(calls.sent.slice(created).map(({ name }) => name)).toContain('get_weblinks');
});

test('a dialog that is cancelled changes nothing [SHR-21]', async ({ owner: page, storage }) => {
  await storage.put({ '2025/letter.txt': 'Dear reader' });
  await shareItem(page, 'Server/2025/letter.txt');
  const calls = watchRequests(page, shareCalls);
  await page.goto(await createAddress(page));
  await expect(shareRows(page)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await choose(page, 'letter.txt', 'Settings');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect([...new Set(calls.sent.map(({ name }) => name))]).toEqual(['get_weblinks']);
});

test('without the address of an item nothing is sent [SHR-46]', async ({ user: page }) => {
  const calls = watchRequests(page, shareCalls);
  await page.goto('/shared?createDialog=true&sharePath=Server%2Fdusk.jpg');
  await expect(dialog(page).getByRole('button', { name: 'Share', exact: true })).toBeDisabled();
  await password(page).press('Enter');
  await expect(dialog(page).getByRole('alert')).toContainText('choose Share in its menu');
  expect(calls.sent.map(({ name }) => name)).not.toContain('create');
});

test('a refusal to create is shown in the dialog, and what was entered stays [ERR-15]', async ({ owner: page, storage }) => {
  await storage.put({ '2025/letter.txt': 'Dear reader' });
  const address = await createAddress(page);
  const { item } = await call<{ item: { linkUri: string } }>(page, '/rest/content/resolve', { path: 'Server' });
  await call(page, '/rest/ws/link/delete_link', { userLinkId: item.linkUri.slice(1) });
  await page.goto(address);
  await password(page).fill('tell no one');
  await password(page).press('Enter');
  await expect(dialog(page).getByRole('alert')).toHaveText('This item cannot be shared because its address is not valid.');
  await expect(password(page)).toHaveValue('tell no one');
});

test('an error without a text of its own is shown by its number [ERR-16]', async ({ user: page }) => {
  const calls = await watchShareCalls(page);
  calls.answer('get_weblinks', { data: [] });
  calls.answer('create', refused(415, 'INVALID_SHARE_URI', ''));
  await page.goto('/shared?createDialog=true&sharePath=Server%2Fdusk.jpg&shareUri=%2Fl1%2Fdusk.jpg');
  await password(page).fill('tell no one');
  await password(page).press('Enter');
  await expect(dialog(page).getByRole('alert')).toHaveText('An unknown error occurred trying to create the link [415]');
  await expect(password(page)).toHaveValue('tell no one');
});

test('Settings changes the expiration and leaves the password alone; then the list is loaded again @narrow [SHR-10] [SHR-39] [SHR-40] [SHR-41] [SHR-43] [SHR-45] [SHR-56]', async ({
  owner: page,
  storage,
  request,
}) => {
  await storage.put({ 'dusk.jpg': 'not a real picture' });
  const publicPage = await shareItem(page, 'Server/dusk.jpg', { password: 'sea', expirationSeconds: '86400' });
  const weblinkId = publicPage.split('/').at(-1) ?? '';
  const calls = watchRequests(page, shareCalls);
  await page.goto('/shared');
  await choose(page, 'dusk.jpg', 'Settings');
  await expect(dialog(page).getByRole('heading')).toHaveText('dusk.jpg');
  await expect(password(page)).toHaveAttribute('placeholder', '[HAS PASSWORD]');
  await expect(dialog(page).getByRole('radio', { name: '24 HOURS' })).toBeChecked();
  await expectAccessible(page);
  await dialog(page).getByRole('radio', { name: '1 MONTH' }).check();
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog(page)).toHaveCount(0);
  const updated = calls.sent.findIndex(({ name }) => name === 'update_weblink');
  const { rTag: _, ...sent } = calls.sent[updated]?.form ?? {};
  expect(sent).toEqual({ weblinkUri: weblinkId, expirationSeconds: '2592000' });
  await expect.poll(() => calls.sent.slice(updated).map(({ name }) => name)).toContain('get_weblinks');
  const answer = await request.post('/rest/weblink/open', { form: { weblinkId, password: 'sea' } });
  expect(((await answer.json()) as { data: object }).data).toMatchObject({ expirationSeconds: 2_592_000 });
});

test('a password can be changed, removed or set for the first time [SHR-42] [SHR-44]', async ({ owner: page, storage, request }) => {
  await storage.put({ 'dusk.jpg': 'x', 'plain.txt': 'y' });
  const dusk = await shareItem(page, 'Server/dusk.jpg', { password: 'sea' });
  const plain = await shareItem(page, 'Server/plain.txt');
  const opens = async (publicPage: string, given: string): Promise<boolean> =>
    (await request.post('/rest/weblink/open', { form: { weblinkId: publicPage.split('/').at(-1) ?? '', password: given } })).ok();
  const save = async (): Promise<void> => {
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog(page)).toHaveCount(0);
  };
  await page.goto('/shared');
  await choose(page, 'dusk.jpg', 'Settings');
  await password(page).fill('another');
  await save();
  expect([await opens(dusk, 'sea'), await opens(dusk, 'another')]).toEqual([false, true]);
  await choose(page, 'dusk.jpg', 'Settings');
  await dialog(page).getByRole('button', { name: 'Remove password' }).click();
  await expect(password(page)).not.toHaveAttribute('placeholder', '[HAS PASSWORD]');
  await expect(dialog(page)).toContainText('The password will be removed.');
  await save();
  expect(await opens(dusk, '')).toBe(true);
  await choose(page, 'plain.txt', 'Settings');
  await expect(password(page)).not.toHaveAttribute('placeholder', '[HAS PASSWORD]');
  await password(page).fill('first');
  await save();
  expect([await opens(plain, ''), await opens(plain, 'first')]).toEqual([false, true]);
});

test('each of the four expirations is stored by the server as its seconds [SHR-48] [SHR-49] [SHR-50] [SHR-51]', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'dusk.jpg': 'x' });
  await shareItem(page, 'Server/dusk.jpg');
  await page.goto('/shared');
  for (const [end, seconds] of [
    ['24 HOURS', 86_400],
    ['7 DAYS', 604_800],
    ['1 MONTH', 2_592_000],
    ['NEVER EXPIRES', 0],
  ] as const) {
    await choose(page, 'dusk.jpg', 'Settings');
    await expect(dialog(page).getByRole('radio')).toHaveCount(4);
    await dialog(page).getByRole('radio', { name: end }).check();
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog(page)).toHaveCount(0);
    const [kept] = await call<{ expirationSeconds?: number }[]>(page, '/rest/weblink/get_weblinks', {});
    expect(kept?.expirationSeconds ?? 0).toBe(seconds);
    await page.reload();
    await choose(page, 'dusk.jpg', 'Settings');
    await expect(dialog(page).getByRole('radio', { name: end })).toBeChecked();
    await page.keyboard.press('Escape');
  }
});

test('an item that was just shared shows its link first, even if the list of shares reloads slowly', async ({ owner: page, storage }) => {
  await storage.put({ 'letter.txt': 'Dear reader' });
  await openFolder(page);
  await askToShare(page, 'letter.txt');
  await dialog(page).getByRole('button', { name: 'Share', exact: true }).click();
  const address = await dialog(page).getByLabel('SHARE THIS').inputValue();
  const list = await hold(page, 'get_weblinks');
  await dialog(page).getByRole('button', { name: 'FINISHED' }).click();
  await askToShare(page, 'letter.txt');
  await expect(dialog(page)).toBeVisible();
  await expect(password(page)).toHaveCount(0);
  list.release();
  await expect(dialog(page).getByLabel('SHARE THIS')).toHaveValue(address);
  await expect(dialog(page).getByRole('heading')).toHaveText('This item is shared');
});

test('sharing an item that is already shared shows its link first, and can create another', async ({ owner: page, storage, sheaf }) => {
  await storage.put({ 'letter.txt': 'Dear reader' });
  const first = await shareItem(page, 'Server/letter.txt', { password: 'sea' });
  await openFolder(page);
  await askToShare(page, 'letter.txt');
  await expect(dialog(page).getByRole('heading')).toHaveText('This item is shared');
  await expect(dialog(page).getByLabel('SHARE THIS')).toHaveValue(sheaf.url + first);
  await expect(dialog(page)).toContainText('Protected by a password');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Create another link' }).click();
  await dialog(page).getByRole('button', { name: 'Share', exact: true }).click();
  await expect(dialog(page).getByLabel('SHARE THIS')).not.toHaveValue(sheaf.url + first);
  await dialog(page).getByRole('button', { name: 'FINISHED' }).click();
  await expect(dialog(page)).toHaveCount(0);
});
