import { startOpenssh } from '@sheaf/testbed';
import { linkFolder, makeStorage, sftpInfo } from '../../fixtures/storage.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { answerOf, countCalls, openFolder, rename, rowOf, rows, savedFrom } from './actions.ts';

test('adding, renaming and deleting use the plain calls and reach the storage [BRW-12] [BRW-13] [BRW-28]', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'New Folder/': '', 'letter.txt': 'Dear reader' });
  const calls = [
    'add_folder',
    'rename_object',
    'delete_object',
    'add_orglink_folder',
    'rename_orglink_object',
    'delete_orglink_object',
  ].map((name) => countCalls(page, name));
  await openFolder(page);
  await page.getByRole('button', { name: 'New folder', exact: true }).click();
  await expect(page.getByLabel('New name')).toHaveValue('New Folder 2');
  await expectAccessible(page);
  await page.getByLabel('New name').fill('Drafts');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'Drafts')).toBeVisible();
  await expect.poll(() => storage.names()).toEqual(['Drafts', 'New Folder', 'letter.txt']);
  await rowOf(page, 'letter.txt').click();
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(rowOf(page, 'letter.txt')).toHaveCount(0);
  await expect.poll(() => storage.names()).toEqual(['Drafts', 'New Folder']);
  expect(calls.map(({ count }) => count())).toEqual([1, 1, 1, 0, 0, 0]);
});

test('deleting can be cancelled', async ({ owner: page, storage }) => {
  await storage.put({ 'letter.txt': 'x' });
  await openFolder(page);
  await rowOf(page, 'letter.txt').click();
  await page.keyboard.press('Delete');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
  expect(await storage.names()).toEqual(['letter.txt']);
});

test('a folder created during a rename keeps its row and its field', async ({ owner: page, storage }) => {
  await storage.put({ 'letter.txt': 'Dear reader' });
  await openFolder(page);
  const mayGoOn = Promise.withResolvers<void>();
  await page.route('**/rename_object', async (route) => {
    await mayGoOn.promise;
    await route.continue();
  });
  await rename(page, 'letter.txt', 'last.txt');
  await page.getByRole('button', { name: 'New folder', exact: true }).click();
  const field = page.getByLabel('New name');
  await expect(field).toHaveValue('New Folder');
  await field.fill('Drafts');
  const renamed = answerOf(page, 'rename_object');
  mayGoOn.resolve();
  await renamed;
  // The refresh after the rename must not remove the row.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(field).toHaveValue('Drafts');
  await page.unroute('**/rename_object');
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveText([/Drafts/, /last\.txt/]);
  await expect.poll(() => storage.names()).toEqual(['Drafts', 'last.txt']);
});

test('renaming to the same or to an empty name sends nothing and changes nothing [BRW-14] [BRW-15]', async ({ owner: page, storage }) => {
  await storage.put({ 'letter.txt': 'x' });
  const calls = countCalls(page, 'rename_object');
  await openFolder(page);
  for (const name of ['letter.txt', '']) {
    await rename(page, 'letter.txt', name);
    await expect(page.getByLabel('New name')).toHaveCount(0);
    await expect(rowOf(page, 'letter.txt')).toBeVisible();
  }
  await rename(page, 'letter.txt', 'last.txt');
  await expect.poll(() => storage.names()).toEqual(['last.txt']);
  expect(calls.count()).toBe(1);
});

test('a change refused by the storage is rolled back and reported [BRW-06] [BRW-09] [BRW-10] [BRW-11]', async ({ user: page, unique }) => {
  const server = await startOpenssh({ readOnly: true });
  const storage = await makeStorage(server, unique);
  await storage.put({ 'letter.txt': 'x' });
  await linkFolder(page, 'Server', sftpInfo(server, storage.path));
  await openFolder(page);
  await rename(page, 'letter.txt', 'other.txt');
  await expect(page.getByRole('alert')).toContainText('Cannot rename letter.txt. ');
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
  await expect(rowOf(page, 'other.txt')).toHaveCount(0);
  await page.getByRole('button', { name: 'New folder', exact: true }).click();
  await expect(page.getByText('Cannot add folder. ')).toBeVisible();
  await expect(rowOf(page, 'New Folder')).toHaveCount(0);
  await rowOf(page, 'letter.txt').click();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Cannot delete letter.txt. ')).toBeVisible();
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
  await server.stop();
});

test('rows are selected by mouse: alone, one more, a range, all, none', async ({ owner: page, storage }) => {
  await storage.put(Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.txt`, name])));
  await openFolder(page);
  const chosen = page.getByRole('row', { selected: true });
  await rowOf(page, 'b.txt').click();
  await expect(chosen).toHaveText([/b\.txt/]);
  await rowOf(page, 'd.txt').click({ modifiers: ['Shift'] });
  await expect(chosen).toHaveText([/b\.txt/, /c\.txt/, /d\.txt/]);
  await rowOf(page, 'c.txt').click({ modifiers: ['Control'] });
  await expect(chosen).toHaveText([/b\.txt/, /d\.txt/]);
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('2 selected');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(chosen).toHaveCount(0);
  await page.getByLabel('Select all').check();
  await expect(chosen).toHaveCount(5);
});

test('renaming one of several selected rows keeps them all selected', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  await openFolder(page);
  const chosen = page.getByRole('row', { selected: true });
  await rowOf(page, 'a.txt').click();
  await rowOf(page, 'b.txt').click({ modifiers: ['Control'] });
  await page.keyboard.press('F2');
  await page.getByLabel('New name').fill('z.txt');
  const renamed = answerOf(page, 'rename_object');
  await page.keyboard.press('Enter');
  expect((await renamed).ok()).toBe(true);
  await expect(rows(page)).toHaveText([/a\.txt/, /c\.txt/, /z\.txt/]);
  await expect(chosen).toHaveText([/a\.txt/, /z\.txt/]);
});

test('the keyboard moves, selects, finds by name, opens and goes up', async ({ owner: page, storage }) => {
  await storage.put({ 'Alpha/inner.txt': 'x', 'Beta/': '', 'one.txt': '1', 'two.txt': '22', 'twice.txt': '333' });
  await openFolder(page);
  const grid = page.getByRole('grid');
  const chosen = page.getByRole('row', { selected: true });
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await expect(chosen).toHaveText([/Beta/]);
  await page.keyboard.press('Shift+ArrowDown');
  await expect(chosen).toHaveText([/Beta/, /one\.txt/]);
  await page.keyboard.type('twi');
  await expect(chosen).toHaveText([/twice\.txt/]);
  await page.keyboard.press('Control+a');
  await expect(chosen).toHaveCount(5);
  await page.keyboard.press('Escape');
  await expect(chosen).toHaveCount(0);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/browse/Server/Alpha');
  await expect(rowOf(page, 'inner.txt')).toBeVisible();
  await grid.press('Backspace');
  await expect(page).toHaveURL('/browse/Server');
  await expect(rowOf(page, 'one.txt')).toBeVisible();
});

const hardNames = [
  'with space.txt',
  '#hash.txt',
  '100%25.txt',
  'a&b=c+d.txt',
  `quote's "double".txt`,
  '🌾 sheaf.txt',
  '你好.txt',
  'caf\u00e9.txt',
  'cafe\u0301.txt',
  '.hidden',
  'back\\slash.txt',
  'semi;colon,comma?.txt',
];

test('difficult names are shown, downloaded and renamed unchanged', async ({ owner: page, storage }) => {
  test.slow();
  await storage.put(Object.fromEntries(hardNames.map((name) => [name, `content of ${name}`])));
  await openFolder(page);
  await expect(rows(page)).toHaveCount(hardNames.length);
  for (const name of hardNames) {
    await expect(rowOf(page, name)).toContainText(name);
    await rowOf(page, name)
      .getByRole('button', { name: `Menu of ${name}` })
      .click();
    const download = page.getByRole('menuitem', { name: 'Download' });
    expect((await savedFrom(page, () => download.click())).toString(), name).toBe(`content of ${name}`);
  }
  for (const name of hardNames) {
    await rename(page, name, `z ${name}`);
    await expect(rowOf(page, `z ${name}`)).toBeVisible();
  }
  await expect.poll(() => storage.names()).toEqual(hardNames.map((name) => `z ${name}`).toSorted());
});

test('folders with difficult names are opened, by row and by address [RT-055]', async ({ owner: page, storage }) => {
  const names = ['with space', '100%25', 'a&b=c+d?', '#hash', '🌾', 'cafe\u0301', 'back\\slash', '.hidden'];
  await storage.put(Object.fromEntries(names.map((name) => [`${name}/inside.txt`, name])));
  await openFolder(page);
  for (const name of names) {
    await rowOf(page, name).dblclick();
    await expect(page).toHaveURL((url) => url.pathname === `/browse/Server/${encodeURIComponent(name)}`);
    await expect(rowOf(page, 'inside.txt')).toBeVisible();
    await page.reload();
    await expect(rowOf(page, 'inside.txt')).toBeVisible();
    await page.getByRole('grid').press('Backspace');
    await expect(rowOf(page, name)).toBeVisible();
  }
});
