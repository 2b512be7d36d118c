import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures/test.ts';
import { drop, openFolder, rowOf, rows } from './actions.ts';

const filter = (page: Page) => page.getByLabel('Filter this folder');
const newName = (page: Page) => page.getByLabel('New name');
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selection' });

async function rowMenu(page: Page, of: string): Promise<void> {
  await rowOf(page, of).hover();
  await page.getByRole('button', { name: `Menu of ${of}` }).click();
  await expect(page.getByRole('menu')).toBeVisible();
}

test('the focus stays in the list after menus, questions and changes', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': '', 'b.txt': '', 'c.txt': '' });
  await openFolder(page);
  const grid = page.getByRole('grid');
  await rowMenu(page, 'a.txt');
  await page.keyboard.press('Escape');
  await expect(grid).toBeFocused();
  await rowMenu(page, 'a.txt');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(grid).toBeFocused();
  await bar(page).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(rows(page)).toHaveText([/b\.txt/, /c\.txt/]);
  await expect(grid).toBeFocused();
});

test('moving from a rename to another field keeps the focus there', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': '' });
  await openFolder(page);
  await rowOf(page, 'a.txt').click();
  await page.keyboard.press('F2');
  await newName(page).fill('b.txt');
  await filter(page).click();
  await page.keyboard.type('b');
  await expect(filter(page)).toHaveValue('b');
  await expect(rowOf(page, 'b.txt')).toBeVisible();
});

test("keys that end an input method's composition do not end a rename", async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': '' });
  await openFolder(page);
  await rowOf(page, 'a.txt').click();
  await page.keyboard.press('F2');
  for (const key of ['Enter', 'Escape']) await newName(page).dispatchEvent('keydown', { key, isComposing: true });
  await newName(page).fill('日本.txt');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, '日本.txt')).toBeVisible();
});

test('the filter field shows the filter in the address @narrow', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': '', 'b.txt': '' });
  await openFolder(page, '/browse/Server?filter=zzz');
  await expect(filter(page)).toHaveValue('zzz');
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(filter(page)).toHaveValue('');
  await filter(page).click();
  await page.keyboard.type('b.t');
  await expect(rows(page)).toHaveCount(1);
  // The typed text is readable even in a narrow window.
  expect((await filter(page).boundingBox())?.width).toBeGreaterThan(170);
});

test('an item that was deleted at the storage is deselected', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': '', 'gone.txt': '' });
  await openFolder(page);
  await rowOf(page, 'gone.txt').click();
  await rowOf(page, 'a.txt').click({ modifiers: ['Control'] });
  await expect(bar(page)).toContainText('2 selected');
  await rm(join(storage.path, 'gone.txt'));
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(bar(page)).toContainText('1 selected');
});

test('a message does not cover the selection bar', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': '', 'b.txt': '' });
  await openFolder(page);
  await rowOf(page, 'a.txt').click();
  await page.keyboard.press('F2');
  await newName(page).fill('b.txt');
  await page.keyboard.press('Enter');
  const message = await page.getByRole('alert').boundingBox();
  const actions = await bar(page).boundingBox();
  expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThanOrEqual(actions?.y ?? 0);
});

test('a failure to load rows is reported, and they load when the server answers again', async ({ owner: page, storage }) => {
  await storage.put(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`n${String(index).padStart(3, '0')}`, ''])));
  await openFolder(page);
  await page.route('**/rest/content/get_more', (route) => route.abort());
  await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
  await expect(page.getByText('Cannot connect to server.')).toBeVisible();
  await page.unroute('**/rest/content/get_more');
  await expect(rowOf(page, 'n199')).toBeVisible();
  await expect(page.getByText('Cannot connect to server.')).toHaveCount(0);
});

test('a transfer row that disappears leaves the focus in the drawer', async ({ owner: page }) => {
  await openFolder(page);
  await page.route('/rest/content/upload?**', (route) => route.abort());
  await page.getByLabel('Files to upload').setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
  const drawer = page.getByRole('complementary', { name: 'Transfers' });
  await drawer.getByRole('button', { name: 'Remove note.txt' }).click();
  await expect(drawer).toBeFocused();
});

test('rows appear where their placeholders were @narrow', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': '' });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/rest/content/{resolve,remote_update}', (route) => held.then(() => route.continue()));
  await page.goto('/browse/Server');
  const place = await page.getByRole('status', { name: 'Loading' }).boundingBox();
  release();
  await expect(rowOf(page, 'a.txt')).toBeVisible();
  expect((await rowOf(page, 'a.txt').boundingBox())?.y).toBe(place?.y);
});

test('files are queued before their folders are created; a folder that cannot be created stops its own files only', async ({
  owner: page,
  storage,
}, info) => {
  const dropped = info.outputPath('folder');
  await mkdir(dropped, { recursive: true });
  await writeFile(join(dropped, 'inner.txt'), 'x');
  await writeFile(info.outputPath('single.txt'), 'x');
  await openFolder(page);
  await page.route('**/rest/content/add_folder', (route) => route.abort());
  await drop(page, dropped, info.outputPath('single.txt'));
  await expect(rowOf(page, 'single.txt')).toBeVisible();
  await page.unroute('**/rest/content/add_folder');
  await page.getByRole('button', { name: 'Retry inner.txt' }).click();
  await expect.poll(() => storage.names('folder').catch(() => [])).toEqual(['inner.txt']);
});
