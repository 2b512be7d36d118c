import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { expectMessage } from '../transfers/places.ts';
import { openFolder, rowOf } from './actions.ts';

test('a deletion is undone from its message and by Ctrl+Z, redone by Ctrl+Shift+Z, listed among the changes, and kept in the bin until it is emptied', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'letter.txt': 'Dear reader', 'notes.txt': 'words' });
  await openFolder(page);
  const remove = async (name: string): Promise<void> => {
    await rowOf(page, name).click();
    await page.keyboard.press('Delete');
    await expect(page.getByRole('dialog')).toContainText('kept in a hidden folder of the storage for 30 days');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('status').filter({ hasText: `Deleted “${name}”` })).toBeVisible();
    await expect(rowOf(page, name)).toHaveCount(0);
  };
  await remove('letter.txt');
  await expect.poll(() => storage.names()).toEqual(['notes.txt']);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(rowOf(page, 'letter.txt')).toBeVisible();
  expect(await storage.text('letter.txt')).toBe('Dear reader');
  await remove('notes.txt');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(rowOf(page, 'notes.txt')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(rowOf(page, 'notes.txt')).toHaveCount(0);
  await expect.poll(() => storage.names()).toEqual(['letter.txt']);

  await page.goto('/account/changes');
  await expect(page.getByRole('listitem').filter({ hasText: 'Deleted “letter.txt”' })).toContainText('Undone');
  await expect(page.getByRole('button', { name: 'Undo: Deleted “notes.txt”' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('navigation', { name: 'Changes and bins' }).getByRole('link', { name: 'Bins' }).click();
  await page.getByRole('checkbox', { name: 'Select notes.txt' }).check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('The bin is empty.')).toBeVisible();
  expect(await storage.text('notes.txt')).toBe('words');

  await openFolder(page);
  await rowOf(page, 'letter.txt').click();
  await page.keyboard.press('Delete');
  await page.getByRole('checkbox', { name: 'Delete permanently' }).check();
  await expect(page.getByRole('dialog')).toContainText('This cannot be undone.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await expect.poll(() => storage.names()).toEqual(['notes.txt']);
  expect(await storage.binned()).toEqual([]);

  // A move is a transfer: the same key undoes it once it has ended.
  await storage.put({ 'Folder/': '' });
  await openFolder(page);
  await rowOf(page, 'notes.txt').click();
  await page.keyboard.press('ControlOrMeta+x');
  await openFolder(page, '/browse/Server/Folder');
  await page.keyboard.press('ControlOrMeta+v');
  await expectMessage(page, 'Moved notes.txt to Folder.');
  expect(await storage.names('Folder')).toEqual(['notes.txt']);
  await page.keyboard.press('ControlOrMeta+z');
  await expectMessage(page, 'It is being undone.');
  await expect.poll(() => storage.names()).toEqual(['Folder', 'notes.txt']);
  // Redone, once the undo has ended.
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(() => storage.names('Folder')).toEqual(['notes.txt']);
});

test('a file that an upload replaced is restored from the message, by Ctrl+Z and from the bin, and the newer one by Ctrl+Shift+Z', async ({
  owner: page,
  storage,
}) => {
  await storage.put({ 'letter.txt': 'Dear reader' });
  await openFolder(page);
  await page
    .getByLabel('Files to upload')
    .setInputFiles({ name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear readers, all of you') });
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
  await expectMessage(page, 'Replaced “letter.txt”');
  expect(await storage.text('letter.txt')).toBe('Dear readers, all of you');
  await page.keyboard.press('ControlOrMeta+z');
  await expectMessage(page, 'Undone: 1 item');
  expect(await storage.text('letter.txt')).toBe('Dear reader');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expectMessage(page, 'Made again: 1 item');
  expect(await storage.text('letter.txt')).toBe('Dear readers, all of you');

  await page.goto('/account/changes');
  await expect(page.getByRole('button', { name: 'Undo: Replaced “letter.txt”' }).first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('navigation', { name: 'Changes and bins' }).getByRole('link', { name: 'Bins' }).click();
  await expect(page.getByRole('list', { name: 'Deleted items' })).toContainText('an earlier version, which was replaced');
  await page.getByRole('checkbox', { name: 'Select letter.txt' }).check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore' }).click();
  // The name is free between the removal of the newer file and the return of the older one.
  await expect(async () => expect(await storage.text('letter.txt')).toBe('Dear reader')).toPass();
});
