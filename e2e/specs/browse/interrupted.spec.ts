import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../../fixtures/test.ts';
import { dragFiles, openFolder, rowOf } from './actions.ts';

const MiB = 1024 * 1024;
const drawer = (page: Page) => page.getByRole('complementary', { name: 'Transfers' });

/** Limits the page's upload speed to this many bytes per second; without a number removes the limit. */
async function slowUploads(page: Page, uploadThroughput = -1): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput });
}

/** A local folder with a video of 40 MiB, deleted at the end. */
const testFilm = test.extend<{ film: { folder: string; path: string; bytes: Buffer } }>({
  // eslint-disable-next-line no-empty-pattern
  film: async ({}, use, { testId }) => {
    const folder = join(tmpdir(), `film-${testId}`);
    await mkdir(join(folder, 'Films'), { recursive: true });
    const bytes = randomBytes(40 * MiB);
    const path = join(folder, 'Films', 'film.bin');
    await writeFile(path, bytes);
    await use({ folder: join(folder, 'Films'), path, bytes });
    await rm(folder, { recursive: true });
  },
});

/** Waits until the storage has confirmed a part; confirmed bytes are not sent again. */
async function untilPart(page: Page): Promise<void> {
  await expect
    .poll(
      async () => {
        const answer = await page.evaluate(async () => (await fetch('/rest/content/uploads')).json() as Promise<unknown>);
        return (answer as { data: { uploads: { position: number }[] } }).data.uploads[0]?.position ?? 0;
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(17 * MiB);
}

testFilm(
  'an upload that a reload has interrupted goes on when the file is chosen again @narrow',
  async ({ owner: page, storage, film }) => {
    await openFolder(page);
    await slowUploads(page, 12 * MiB);
    await page.getByLabel('Files to upload').setInputFiles(film.path);
    await untilPart(page);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await slowUploads(page);
    await page
      .getByRole('button', { name: /^Transfers, 1 interrupted$|^1 upload was interrupted$/ })
      .first()
      .click();
    await expect(drawer(page)).toContainText('Choose the file again to continue');
    await expectAccessible(page);
    const choosing = page.waitForEvent('filechooser');
    await drawer(page).getByRole('button', { name: 'Continue film.bin' }).click();
    const patched = page.waitForRequest((request) => request.method() === 'PATCH');
    await (await choosing).setFiles(film.path);
    expect(Number((await patched).headers()['upload-offset'])).toBeGreaterThanOrEqual(16 * MiB);
    await expect(rowOf(page, 'film.bin')).toBeVisible();
    expect(film.bytes.equals(await readFile(join(storage.path, 'film.bin')))).toBe(true);
    await expect(drawer(page)).not.toContainText('Interrupted');
    await page.reload();
    await expect(rowOf(page, 'film.bin')).toBeVisible();
    await expect(page.getByRole('button', { name: /interrupted/ })).toHaveCount(0);
  },
);

testFilm(
  'another file is not taken for the interrupted one, and discarding removes what was stored',
  async ({ owner: page, storage, film }) => {
    await openFolder(page);
    await slowUploads(page, 12 * MiB);
    await page.getByLabel('Files to upload').setInputFiles(film.path);
    await untilPart(page);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await slowUploads(page);
    await page.getByRole('button', { name: 'Transfers, 1 interrupted' }).click();
    await writeFile(film.path, 'another film');
    const choosing = page.waitForEvent('filechooser');
    await drawer(page).getByRole('button', { name: 'Continue film.bin' }).click();
    await (await choosing).setFiles(film.path);
    await expect(page.getByText('These are other files than those that were being uploaded')).toBeVisible();
    expect(await storage.names()).toHaveLength(1);
    await drawer(page).getByRole('button', { name: 'Discard film.bin' }).click();
    await expect(drawer(page)).toContainText('No transfers');
    await expect.poll(() => storage.names()).toEqual([]);
  },
);

testFilm('a cut connection is waited for, and the upload goes on by itself', async ({ owner: page, storage, film }) => {
  let isCut = true;
  await page.route('**/rest/content/uploads/*', (route) => (isCut ? route.abort('connectionreset') : route.continue()));
  await openFolder(page);
  await page.getByLabel('Files to upload').setInputFiles(film.path);
  await expect(drawer(page)).toContainText('Waiting for the connection; it goes on by itself');
  await expectAccessible(page);
  isCut = false;
  await expect(rowOf(page, 'film.bin')).toBeVisible({ timeout: 30_000 });
  expect(film.bytes.equals(await readFile(join(storage.path, 'film.bin')))).toBe(true);
});

testFilm(
  'a dropped folder goes on by itself after a reload, where the browser may still read it',
  async ({ owner: page, storage, film }) => {
    await openFolder(page);
    await slowUploads(page, 12 * MiB);
    await dragFiles(page, { x: 600, y: 500 }, [film.folder], 'drop');
    await untilPart(page);
    page.on('dialog', (dialog) => void dialog.accept());
    const patched = page.waitForRequest((request) => request.method() === 'PATCH', { timeout: 15_000 });
    await page.reload();
    await slowUploads(page);
    expect(Number((await patched).headers()['upload-offset'])).toBeGreaterThanOrEqual(16 * MiB);
    await expect.poll(() => storage.names('Films'), { timeout: 20_000 }).toEqual(['film.bin']);
    expect(film.bytes.equals(await readFile(join(storage.path, 'Films', 'film.bin')))).toBe(true);
    await page.reload();
    await expect(rowOf(page, 'Films')).toBeVisible();
    await expect(page.getByRole('button', { name: /interrupted/ })).toHaveCount(0);
  },
);
