import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Page } from '@playwright/test';
import { startProxy } from '@sheaf/testbed';
import { hold } from '../../fixtures/held.ts';
import { linkFolder, sftpInfo } from '../../fixtures/storage.ts';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { dragFiles, openFolder, rowOf } from './actions.ts';

const drawer = (page: Page) => page.getByRole('complementary', { name: 'Transfers' });
const choose = (page: Page, ...files: readonly { readonly name: string; readonly content: string | Buffer }[]): Promise<void> =>
  page
    .getByLabel('Files to upload')
    .setInputFiles(files.map(({ name, content }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })));

/** Limits the page's upload speed to this many bytes per second. */
async function slowUploads(page: Page, uploadThroughput: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput });
}

test('a taken name asks what to do: keep both, replace, or skip', async ({ owner: page, storage }) => {
  await storage.put({ 'letter.txt': 'first' });
  await openFolder(page);
  const dialog = page.getByRole('dialog', { name: 'This name is taken' });
  await choose(page, { name: 'letter.txt', content: 'second' });
  await expect(dialog).toContainText('There is already an item named letter.txt in Server.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Keep both' }).click();
  await expect(rowOf(page, 'letter 2.txt')).toBeVisible();
  expect([await storage.text('letter.txt'), await storage.text('letter 2.txt')]).toEqual(['first', 'second']);
  await choose(page, { name: 'letter.txt', content: 'third' });
  await dialog.getByRole('button', { name: 'Skip' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await storage.text('letter.txt')).toBe('first');
  await choose(page, { name: 'letter.txt', content: 'fourth' });
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await expect.poll(() => storage.text('letter.txt').catch(() => '')).toBe('fourth');
  await expect.poll(() => storage.names()).toEqual(['letter 2.txt', 'letter.txt']);
});

test('one answer can apply to all selected files', async ({ owner: page, storage }) => {
  await storage.put({ 'a.txt': 'old', 'b.txt': 'old', 'c.txt': 'old' });
  await openFolder(page);
  await choose(page, ...['a.txt', 'b.txt', 'c.txt'].map((name) => ({ name, content: 'new' })));
  const dialog = page.getByRole('dialog', { name: 'This name is taken' });
  await dialog.getByLabel(/^Apply to all/).check();
  await dialog.getByRole('button', { name: 'Replace' }).click();
  // During a replacement the old file is being moved into the hidden bin.
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await expect.poll(() => storage.text(name).catch(() => '')).toBe('new');
  await expect(dialog).toHaveCount(0);
});

test('an upload shows its progress, continues while the user browses, and can be cancelled', async ({ owner: page, storage }) => {
  await storage.put({ 'Photos/': '' });
  await openFolder(page);
  await slowUploads(page, 200_000);
  await choose(page, { name: 'large.bin', content: Buffer.alloc(8_000_000, 'x') });
  const bar = drawer(page).getByRole('progressbar', { name: 'large.bin' });
  await expect(bar).toBeVisible();
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
  await expectAccessible(page);
  await rowOf(page, 'Photos').dblclick();
  await expect(page).toHaveURL('/browse/Server/Photos');
  await expect(page.getByText('This folder is empty')).toBeVisible();
  await expect(bar).toBeVisible();
  await drawer(page).getByRole('button', { name: 'Cancel large.bin' }).click();
  await expect(drawer(page).getByText('No transfers')).toBeVisible();
  await expect.poll(() => storage.names()).toEqual(['Photos']);
});

test('the progress bar of an upload shows the bytes stored, not the bytes that the browser has sent', async ({
  user: page,
  ssh,
  storage,
}, info) => {
  const size = 64 << 20;
  // More than may be under way: OpenSSH takes its time to acknowledge it on a busy machine.
  const passed = 24 << 20;
  const path = info.outputPath('film.bin');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, Buffer.alloc(size, 'x'));
  const proxy = await startProxy({ target: ssh });
  try {
    await linkFolder(page, 'Server', sftpInfo({ ...ssh, port: proxy.port }, storage.path));
    await openFolder(page);
    proxy.hangAfterUp(proxy.bytesUp() + passed);
    await page.getByLabel('Files to upload').setInputFiles(path);
    const bar = drawer(page).getByRole('progressbar', { name: 'film.bin' });
    const percent = async (): Promise<number> => Number(await bar.getAttribute('aria-valuenow'));
    await expect.poll(percent).toBeGreaterThan(2);
    await expect.poll(() => proxy.bytesUp()).toBeGreaterThanOrEqual(passed);
    const shown: number[] = [];
    await expect.poll(async () => shown.push(await percent()), { intervals: [500] }).toBeGreaterThan(6);
    expect(Math.max(...shown)).toBeLessThanOrEqual(Math.ceil((100 * passed) / size));
    await expect(page.getByRole('button', { name: /^Transfers, 1 running, [1-3]?\d %$/ })).toBeVisible();
    proxy.resume();
    await expect(drawer(page).getByRole('heading', { name: 'Done' })).toBeVisible({ timeout: 30_000 });
    expect(await storage.names()).toEqual(['film.bin']);
  } finally {
    await proxy.stop();
  }
});

test('a failed upload says why and can be retried @narrow', async ({ owner: page, storage }) => {
  await openFolder(page);
  await page.route('/rest/content/upload?**', (route) => route.abort());
  await choose(page, { name: 'note.txt', content: 'x' });
  // In a narrow window the drawer would cover the page, so it does not open by itself.
  if ((page.viewportSize()?.width ?? 0) < 700) await page.getByRole('button', { name: /^Transfers/ }).click();
  await expect(drawer(page).getByText('Cannot connect to server.')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('/rest/content/upload?**');
  await drawer(page).getByRole('button', { name: 'Retry note.txt' }).click();
  await expect.poll(() => storage.names()).toEqual(['note.txt']);
  await expect(drawer(page).getByRole('heading', { name: 'Done' })).toBeVisible();
});

test('files dropped next to a folder are uploaded into it, and dropped folders share one line that can be cancelled', async ({
  owner: page,
  storage,
}, info) => {
  for (let file = 0; file < 12; file++) {
    const path = info.outputPath('Trip', `${file}.txt`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'x'.repeat(1000));
  }
  await openFolder(page);
  const held = await hold(page, 'upload');
  await dragFiles(page, { x: 20, y: 400 }, [info.outputPath('Trip')], 'drop');
  const lines = drawer(page).getByRole('listitem');
  await expect(lines).toHaveCount(1);
  await expect(lines).toContainText('Trip');
  await expect(lines).toContainText('0 of 12 files');
  await expect(page.getByRole('button', { name: /^Transfers, 12 running/ })).toBeVisible();
  await expectAccessible(page);
  await drawer(page).getByRole('button', { name: 'Cancel all' }).click();
  await expect(lines).toHaveCount(0);
  held.release();
  await dragFiles(page, { x: 20, y: 400 }, [info.outputPath('Trip')], 'drop');
  await expect(lines).toContainText('12 files');
  await expect.poll(async () => (await storage.names('Trip')).length).toBe(12);
});

test('files dropped on a page that does not accept them are refused with a message, and never replace the app', async ({
  owner: page,
}, info) => {
  const file = info.outputPath('stray.txt');
  await writeFile(file, 'stray');
  await page.goto('/shared');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await dragFiles(page, { x: 600, y: 400 }, [file], 'hold');
  await expect(page.getByText('Open a folder first: files go into the folder in view.')).toBeVisible();
  await expect(page).toHaveURL('/shared');
});

test('a file dropped before the app has loaded does not replace it', async ({ owner: page }, info) => {
  const file = info.outputPath('early.txt');
  await writeFile(file, 'early');
  const held = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/shared', { waitUntil: 'commit' });
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])).toBeDefined();
  await dragFiles(page, { x: 600, y: 400 }, [file], 'drop');
  held.resolve();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page).toHaveURL('/shared');
});
