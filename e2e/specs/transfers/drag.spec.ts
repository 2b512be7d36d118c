import type { Locator, Page } from '@playwright/test';
import { expect } from '../../fixtures/test.ts';
import { openFolder, rowOf } from '../browse/actions.ts';
import { expectMessage, test } from './places.ts';

/** Drags with the mouse in small steps, as a hand does; holds the key during the drop. */
async function drag(page: Page, from: Locator, to: Locator, held?: 'Control'): Promise<void> {
  await from.hover();
  await page.mouse.down();
  if (held) await page.keyboard.down(held);
  await to.hover();
  await to.hover();
}
async function drop(page: Page, held?: 'Control'): Promise<void> {
  await page.mouse.up();
  if (held) await page.keyboard.up(held);
}

test('a row dragged onto a folder moves into it, and the pointer says so', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': 'a', 'b.txt': 'b', 'Folder/': '' });
  await openFolder(page);
  await rowOf(page, 'a.txt').click();
  await rowOf(page, 'b.txt').click({ modifiers: ['ControlOrMeta'] });
  await drag(page, rowOf(page, 'a.txt').getByText('a.txt'), rowOf(page, 'Folder'));
  await expect(rowOf(page, 'Folder')).toHaveAttribute('data-drop', 'true');
  await expect(rowOf(page, 'b.txt')).toHaveAttribute('data-lifted', 'true');
  await expect(page.getByText('Move to Folder')).toBeVisible();
  await drop(page);
  await expectMessage(page, 'Moved 2 items to Folder.');
  await expect(rowOf(page, 'a.txt')).toHaveCount(0);
  expect([await storage.names(), await storage.names('Folder')]).toEqual([['Folder'], ['a.txt', 'b.txt']]);
});

test('with Ctrl a drag copies, and the breadcrumb accepts drops', async ({ owner: page, storage }) => {
  await storage.put({ 'Folder/a.txt': 'a' });
  await openFolder(page, '/browse/Server/Folder');
  const server = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Server' });
  await drag(page, rowOf(page, 'a.txt').getByText('a.txt'), server, 'Control');
  await expect(page.getByText('Copy to Server')).toBeVisible();
  await drop(page, 'Control');
  await expectMessage(page, 'Copied a.txt to Server.');
  expect([await storage.names(), await storage.names('Folder')]).toEqual([['Folder', 'a.txt'], ['a.txt']]);
});

test('a row dropped where it is, or outside of folders, stays', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': 'a', 'b.txt': 'b', 'Folder/': '' });
  await openFolder(page);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await drag(page, rowOf(page, 'a.txt').getByText('a.txt'), rowOf(page, 'b.txt'));
  await drop(page);
  await drag(page, rowOf(page, 'Folder'), rowOf(page, 'Folder').getByText('Folder'));
  await drop(page);
  await expect(rowOf(page, 'Folder')).toBeVisible();
  expect(calls.filter((path) => /(copy|move)_objects/.test(path))).toEqual([]);
  expect(await storage.names()).toEqual(['Folder', 'a.txt', 'b.txt']);
});

test('rows dragged into another window are copied to the folder there, which shows them', async ({ owner: page, storage, backup }) => {
  await storage.put({ 'a.txt': 'a' });
  await backup.put({ 'Folder/': '' });
  const other = await page.context().newPage();
  await openFolder(other, '/browse/Backup');
  await expect(rowOf(other, 'Folder')).toBeVisible();
  await openFolder(page);
  const from = rowOf(page, 'a.txt').getByText('a.txt');
  // Drivers cannot drag between windows, so the test dispatches the same events with the same data as the browser.
  const data = await page.evaluateHandle(() => new DataTransfer());
  await from.dispatchEvent('dragstart', { dataTransfer: data });
  await expect(rowOf(page, 'a.txt')).toHaveAttribute('data-lifted', 'true');
  const carried = await data.evaluate((given) => given.types.map((type) => [type, given.getData(type)] as const));
  const there = await other.evaluateHandle((texts) => {
    const given = new DataTransfer();
    for (const [type, text] of texts) given.setData(type, text);
    return given;
  }, carried);
  const folder = rowOf(other, 'Folder');
  await folder.dispatchEvent('dragover', { dataTransfer: there });
  await expect(folder).toHaveAttribute('data-drop', 'true');
  await expect(other.getByText('Copy to Folder')).toBeVisible();
  await folder.dispatchEvent('drop', { dataTransfer: there });
  await from.dispatchEvent('dragend', { dataTransfer: data });
  await expectMessage(other, 'Copied a.txt to Folder.');
  await expect(rowOf(page, 'a.txt')).not.toHaveAttribute('data-lifted');
  expect([await storage.names(), await backup.names('Folder')]).toEqual([['a.txt'], ['a.txt']]);
});
