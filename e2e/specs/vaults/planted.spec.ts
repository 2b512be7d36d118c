import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startApache } from '@sheaf/testbed';
import { foundIn, foundInMemory } from '../../fixtures/needles.ts';
import { pngOf } from '../../fixtures/pictures.ts';
import { startRecorder } from '../../fixtures/recorder.ts';
import { startSheaf } from '../../fixtures/sheaf.ts';
import { expect, signUp, test } from '../../fixtures/test.ts';
import { newVault, shareFromVault, unlock } from '../../fixtures/vaults.ts';
import { button, fill } from '../dialogs/fields.ts';

/** Marker in the passphrase and in every name and content, to search for. */
const mark = 'planted9c41e7';
const passphrase = `${mark} passphrase of Mara`;
const mebibyte = 1024 * 1024;

async function allIn(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Buffer.concat([
    Buffer.from(entries.map(({ name }) => name).join('\n')),
    ...(await Promise.all(files.map((file) => readFile(file)))),
  ]);
}

test('data planted in a vault is in no memory, log or file of the server, and in no traffic with the browser or the storage', async ({
  browser,
  account,
}) => {
  test.setTimeout(300_000);
  const dav = await startApache();
  const toStorage = await startRecorder(dav.port);
  const port = await freePort();
  const toServer = await startRecorder(port);
  const url = `http://localhost:${toServer.port}`;
  const sheaf = await startSheaf({ SHEAF_BILLING: 'off', SHEAF_PORT: String(port), SHEAF_PUBLIC_URL: url, SHEAF_LOG_LEVEL: 'debug' });
  const source = await mkdtemp(join(tmpdir(), 'sheaf-files-'));
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB' });
  const page = await context.newPage();
  const dialog = page.getByRole('dialog');
  const secrets = [mark];
  /** Places in which a secret was found; should be empty. */
  const places = async (): Promise<string[]> => {
    const read = {
      traffic: toServer.recorded(),
      storageTraffic: toStorage.recorded(),
      log: Buffer.from(sheaf.log()),
      files: await allIn(sheaf.dataDir),
      storage: await allIn(dav.home),
    };
    const places = Object.entries(read).map(([place, bytes]) => [place, foundIn(bytes, secrets)] as const);
    return [...places, ['memory', await foundInMemory(sheaf.pid, secrets)] as const].flatMap(([place, found]) =>
      found.map((secret) => `${secret} in: ${place}`),
    );
  };
  try {
    await signUp(page, account);
    await page.goto('/links/webdav');
    await fill(page, { Name: 'Server', Server: `http://127.0.0.1:${toStorage.port}/dav`, Username: dav.user, Password: dav.password });
    await button(page, 'Link').click();
    await expect(page).toHaveURL('/browse/Server');
    const words = await newVault(page, { name: 'Letters', passphrase });
    secrets.push(words.slice(0, 3).join(' '), words.slice(9).join(' '));
    await unlock(page, 'Letters', passphrase);

    // A large upload keeps pieces in the server's memory while it is searched.
    const large = Buffer.alloc(40 * mebibyte, `${mark} content of a large file. `);
    await writeFile(join(source, `${mark} large.bin`), large);
    await writeFile(join(source, `${mark} note.txt`), `${mark} content `.repeat(5000));
    await writeFile(join(source, `${mark} photo.png`), pngOf(300, 200));
    await page.getByLabel('Files to upload').setInputFiles(join(source, `${mark} large.bin`));
    await expect.poll(() => toServer.requests().some((line) => line.startsWith('PATCH ')), { timeout: 60_000 }).toBe(true);
    expect(await places()).toEqual([]);
    const rows = page.getByRole('list', { name: 'Files and folders' });
    const row = (name: string) => rows.getByRole('listitem', { name: `${mark} ${name}` });
    await expect(row('large.bin')).toBeVisible({ timeout: 60_000 });
    await page.getByLabel('Files to upload').setInputFiles([join(source, `${mark} note.txt`), join(source, `${mark} photo.png`)]);
    await expect(row('photo.png').locator('img[data-thumbnail]')).toBeVisible({ timeout: 60_000 });

    await row('note.txt')
      .getByRole('button', { name: `${mark} note.txt`, exact: true })
      .click();
    await expect(dialog.locator('pre')).toContainText(`${mark} content`);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: `Menu of ${mark} note.txt` }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await dialog.getByLabel('Name').fill(`${mark} renamed.txt`);
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await expect(row('renamed.txt')).toBeVisible();
    await page.getByRole('button', { name: 'New folder' }).click();
    await dialog.getByLabel('Name').fill(`${mark} folder`);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect(row('folder')).toBeVisible();
    await page.getByLabel(`Choose ${mark} renamed.txt`).check();
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await dialog.getByRole('button', { name: `${mark} folder` }).click();
    await dialog.getByRole('button', { name: 'Move here' }).click();
    await expect(dialog).toHaveCount(0, { timeout: 30_000 });
    await page.getByLabel('Filter this folder').fill(`${mark} renamed`);
    await page.getByRole('button', { name: 'Look in folders below' }).click();
    await expect(page.getByText('1 found below this folder')).toBeVisible();
    await page.getByRole('button', { name: 'Back to the folder' }).click();
    await page.getByLabel('Filter this folder').fill('');
    for (const name of ['large.bin', 'folder']) await page.getByLabel(`Choose ${mark} ${name}`).check();
    const zipping = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as zip' }).click();
    expect((await readFile(await (await zipping).path())).includes(mark)).toBe(true);
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Clear' }).click();

    const address = await shareFromVault(page, `${mark} photo.png`);
    secrets.push(address.split('#')[1] ?? '');
    const stranger = await (await browser.newContext({ baseURL: url })).newPage();
    await stranger.goto(address);
    await stranger.getByRole('button', { name: `${mark} photo.png`, exact: true }).click();
    await expect(stranger.getByRole('dialog').locator('img')).toBeVisible();
    await stranger.context().close();
    await page.getByRole('button', { name: `Menu of ${mark} large.bin` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(row('large.bin')).toHaveCount(0);
    await page.getByRole('button', { name: 'Lock now' }).click();
    await expect(page.getByRole('heading', { name: 'Letters is locked' })).toBeVisible();
    expect(await places()).toEqual([]);

    // Proves that the search works: it finds the account's address in memory, and encrypted files in both recordings.
    expect(await foundInMemory(sheaf.pid, [account.email, `${account.email} of nobody`])).toEqual([account.email]);
    for (const bytes of [toServer.recorded(), toStorage.recorded(), await allIn(dav.home)])
      expect(foundIn(bytes, ['RCLONE\0\0'])).toEqual(['RCLONE\0\0']);
    expect(foundIn(toServer.recorded(), ['Letters'])).toEqual(['Letters']);
  } finally {
    await context.close();
    await sheaf.stop();
    await toServer.stop();
    await toStorage.stop();
    await dav.stop();
    await rm(source, { recursive: true, force: true });
  }
});
