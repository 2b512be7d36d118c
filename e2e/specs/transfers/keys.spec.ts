import type { Page } from '@playwright/test';
import { expect, expectAccessible } from '../../fixtures/test.ts';
import { openFolder, rowOf } from '../browse/actions.ts';
import { expectMessage, test } from './places.ts';

const clipboard = (page: Page) => page.getByRole('toolbar', { name: 'Clipboard' });

test('items copied by Ctrl-C in one tab are pasted by Ctrl-V in another', async ({ owner: page, storage, backup }) => {
  await storage.put({ 'a.txt': 'a', 'Folder/b.txt': 'b' });
  const other = await page.context().newPage();
  await openFolder(other, '/browse/Backup');
  await expect(other.getByText('This folder is empty')).toBeVisible();
  await openFolder(page);
  await rowOf(page, 'a.txt').click();
  await rowOf(page, 'Folder').click({ modifiers: ['ControlOrMeta'] });
  await page.keyboard.press('Control+c');
  await expect(clipboard(page)).toContainText('2 items ready to paste');
  await expect(clipboard(other)).toContainText('2 items ready to paste');
  await expectAccessible(other);
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  expect(kept).not.toContain('halm.example');
  await other.bringToFront();
  await other.keyboard.press('Control+v');
  await expectMessage(other, 'Copied 2 items to Backup.');
  await expect(rowOf(other, 'Folder')).toBeVisible();
  expect([await backup.names(), await backup.names('Folder'), await storage.names()]).toEqual([
    ['Folder', 'a.txt'],
    ['b.txt'],
    ['Folder', 'a.txt'],
  ]);
  await clipboard(other).getByRole('button', { name: 'Clear' }).click();
  await expect(clipboard(other)).toHaveCount(0);
  await expect(clipboard(page)).toHaveCount(0);
});

test('items cut by Ctrl-X fade, and move once when they are pasted', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': 'a', 'Folder/': '' });
  await openFolder(page);
  await rowOf(page, 'a.txt').click();
  await page.keyboard.press('Control+x');
  await expect(rowOf(page, 'a.txt')).toHaveAttribute('data-cut', 'true');
  await expect(clipboard(page)).toContainText('1 item ready to move');
  await rowOf(page, 'Folder').dblclick();
  await expect(page).toHaveURL('/browse/Server/Folder');
  await clipboard(page).getByRole('button', { name: 'Move here' }).click();
  await expect(clipboard(page)).toHaveCount(0);
  await expectMessage(page, 'Moved a.txt to Folder.');
  await expect(rowOf(page, 'a.txt')).toBeVisible();
  expect([await storage.names(), await storage.names('Folder')]).toEqual([['Folder'], ['a.txt']]);
});

test('the keys leave text fields alone, and signing out clears what was copied', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': 'a' });
  await openFolder(page);
  await rowOf(page, 'a.txt').click();
  await page.getByLabel('Filter this folder').focus();
  await page.keyboard.press('Control+c');
  await expect(clipboard(page)).toHaveCount(0);
  await rowOf(page, 'a.txt').click();
  await page.keyboard.press('Control+c');
  await expect(clipboard(page)).toBeVisible();
  await page.getByRole('button', { name: 'Mara Halm' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/logout');
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).not.toContain('sheaf-clipboard');
});
