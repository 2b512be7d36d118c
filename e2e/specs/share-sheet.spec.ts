import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/test.ts';
import { openFolder, rowOf } from './browse/actions.ts';

/** Data that a page has passed to the share sheet. */
interface Sent {
  readonly url?: string;
  readonly title?: string;
  readonly file?: { readonly name: string; readonly text: string };
}

/** Adds a share sheet, as on phones; headless Chromium has none. `refusals`: how many calls fail because the click is too long ago. */
async function giveSheet(page: Page, refusals = 0): Promise<void> {
  await page.addInitScript((count) => {
    const sent: object[] = [];
    let left = count;
    Object.assign(globalThis, { sent });
    Object.assign(Navigator.prototype, {
      canShare: () => true,
      async share({ files, ...rest }: ShareData) {
        if (left > 0) {
          left -= 1;
          throw new DOMException('no press', 'NotAllowedError');
        }
        const [file] = files ?? [];
        sent.push(file ? { file: { name: file.name, text: await file.text() } } : rest);
      },
    });
  }, refusals);
}
const sentBy = (page: Page): Promise<Sent[]> => page.evaluate(() => (globalThis as unknown as { sent: Sent[] }).sent);

async function choose(page: Page, name: string, entry: string): Promise<void> {
  await rowOf(page, name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

test('a phone sends the link of a share, and a file with its bytes, through its share sheet @narrow', async ({ owner: page, storage }) => {
  await giveSheet(page);
  await storage.put({ 'Album/': '', 'letter.txt': 'Dear reader' });
  await openFolder(page);
  await choose(page, 'letter.txt', 'Send to…');
  await expect.poll(() => sentBy(page)).toEqual([{ file: { name: 'letter.txt', text: 'Dear reader' } }]);
  await rowOf(page, 'Album').click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Share', exact: true })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Send to…' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  await choose(page, 'letter.txt', 'Share');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Share', exact: true }).click();
  const url = await dialog.getByLabel('SHARE THIS').inputValue();
  await dialog.getByRole('button', { name: 'Send to…' }).click();
  await expect.poll(async () => (await sentBy(page)).at(-1)).toEqual({ url, title: 'letter.txt' });
});

test('a file that loads for longer than the user activation lasts is sent with the next click', async ({ owner: page, storage }) => {
  await giveSheet(page, 1);
  await storage.put({ 'letter.txt': 'Dear reader' });
  await openFolder(page);
  await choose(page, 'letter.txt', 'Send to…');
  await expect(page.getByText('letter.txt is ready. Choose “Send to…” again.')).toBeVisible();
  expect(await sentBy(page)).toEqual([]);
  // The bytes are loaded already.
  await storage.put({ 'letter.txt': 'Dear writer' });
  await choose(page, 'letter.txt', 'Send to…');
  await expect.poll(() => sentBy(page)).toEqual([{ file: { name: 'letter.txt', text: 'Dear reader' } }]);
});

test('without a share sheet nothing offers one', async ({ owner: page, storage }) => {
  await page.addInitScript(() => Object.assign(Navigator.prototype, { share: undefined, canShare: undefined }));
  await storage.put({ 'letter.txt': 'Dear reader' });
  await openFolder(page);
  await rowOf(page, 'letter.txt').click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Download' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Send to…' })).toHaveCount(0);
});

test('a file that cannot be fetched is not sent, and the reason is told', async ({ owner: page, storage }) => {
  await giveSheet(page);
  await storage.put({ 'letter.txt': 'Dear reader' });
  await openFolder(page);
  await rm(join(storage.path, 'letter.txt'));
  await choose(page, 'letter.txt', 'Send to…');
  await expect(page.getByRole('alert')).toContainText('"letter.txt" no longer exists.');
  expect(await sentBy(page)).toEqual([]);
});
