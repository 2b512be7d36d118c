import { mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tus } from '@sheaf/contract';
import { pngOf } from '../../fixtures/pictures.ts';
import { expect, expectAccessible } from '../../fixtures/test.ts';
import { rcloneOf, secretsAt, signUpWithVault, test, traffic, unlock } from '../../fixtures/vaults.ts';

const passphrase = 'planted-passphrase 41aa9e';
const mebibyte = 1024 * 1024;

test('an upload into a vault continues after a reload with the same file only, pictures have thumbnails, and a deletion is undone', async ({
  page,
  account,
  storage,
  free,
}) => {
  test.setTimeout(240_000);
  const sent = traffic(page);
  const words = await signUpWithVault({ page, account, storage, passphrase });
  await unlock(page, 'Letters', passphrase);
  const source = await mkdtemp(join(tmpdir(), 'sheaf-files-'));
  const { rclone, end } = await rcloneOf(join(storage.path, 'Letters'), words.join(' '));
  try {
    const large = join(source, 'planted-large.bin');
    const content = Buffer.alloc(40 * mebibyte, 'planted bytes of a large file. ');
    await writeFile(large, content);
    await utimes(large, 1_700_000_000, 1_700_000_000);
    page.on('dialog', (dialog) => void dialog.accept());
    const offsets: number[] = [];
    let isHeld = true;
    const pieces = `**${tus.path}/*`;
    await page.route(pieces, async (route, request) => {
      if (request.method() !== 'PATCH') return route.continue();
      const offset = Number(request.headers()['upload-offset']);
      offsets.push(offset);
      // The page is reloaded while its second piece is being sent.
      if (offset === 0 || !isHeld) await route.continue();
    });
    const interrupted = page.getByRole('list', { name: 'Interrupted uploads' });
    const interrupt = async (): Promise<void> => {
      isHeld = true;
      offsets.length = 0;
      await page.getByLabel('Files to upload').setInputFiles(large);
      await expect.poll(() => offsets.length, { timeout: 60_000 }).toBe(2);
      await page.reload();
      isHeld = false;
      await unlock(page, 'Letters', passphrase);
      await expect(interrupted.getByRole('listitem', { name: 'planted-large.bin' })).toBeVisible();
      offsets.length = 0;
    };
    const finish = async (): Promise<void> => {
      await page.getByLabel('Files to upload').setInputFiles(large);
      await expect(page.getByRole('list', { name: 'Files and folders' }).getByRole('listitem', { name: 'planted-large.bin' })).toBeVisible({
        timeout: 60_000,
      });
      await expect(interrupted).toHaveCount(0);
    };
    await interrupt();
    await expectAccessible(page);
    const kept = await page.evaluate(() => JSON.stringify(localStorage));
    await finish();
    expect(offsets[0]).toBe(16 * mebibyte);
    await rclone('copy', 'vault:planted-large.bin', join(source, 'back'));
    expect((await readFile(join(source, 'back/planted-large.bin'))).equals(content)).toBe(true);

    // Other content with the same name, size and time is never encrypted under the nonce of the first.
    await page.getByRole('button', { name: 'Menu of planted-large.bin' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('listitem', { name: 'planted-large.bin' })).toHaveCount(0);
    await interrupt();
    content.write('another beginning');
    await writeFile(large, content);
    await utimes(large, 1_700_000_000, 1_700_000_000);
    await finish();
    expect(offsets[0]).toBe(0);
    await rclone('copy', '--ignore-times', 'vault:planted-large.bin', join(source, 'back'));
    expect((await readFile(join(source, 'back/planted-large.bin'))).equals(content)).toBe(true);
    await page.unroute(pieces);

    const photo = join(source, 'planted-photo.png');
    await writeFile(photo, pngOf(300, 200));
    await page.getByLabel('Files to upload').setInputFiles(photo);
    const row = page.getByRole('list', { name: 'Files and folders' }).getByRole('listitem', { name: 'planted-photo.png' });
    await expect(row.locator('img[data-thumbnail]')).toBeVisible();
    expect(
      await row
        .locator('img')
        .evaluate((image) => [(image as HTMLImageElement).src.slice(0, 5), (image as HTMLImageElement).naturalWidth > 0]),
    ).toEqual(['blob:', true]);

    await row.getByRole('checkbox').check();
    await page.getByLabel('Choose planted-large.bin').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('This folder is empty')).toBeVisible();
    // The hidden bin holds ciphertext under encrypted names.
    const binned = await storage.binned();
    expect(binned.length).toBeGreaterThan(1);
    expect(binned.filter((name) => /planted|\.png/.test(name))).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(row).toBeVisible();
    await page.getByRole('button', { name: 'planted-photo.png', exact: true }).click();
    await expect(page.getByRole('dialog').getByText('Proven: whole')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    const stored = await readdir(storage.path, { recursive: true });
    expect(stored.filter((name) => name.includes('planted'))).toEqual([]);
    expect(kept).not.toContain('planted');
    expect(await secretsAt({ free, page, traffic: await sent() }, [passphrase, 'planted', words.join(' ')])).toEqual([]);
  } finally {
    await end();
    await rm(source, { recursive: true, force: true });
  }
});
