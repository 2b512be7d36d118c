import { readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCryptomatorVault, run } from '@sheaf/testbed';
import { pngOf } from '../../fixtures/pictures.ts';
import { linkFolder, sftpInfo } from '../../fixtures/storage.ts';
import { expect, expectAccessible, signUp } from '../../fixtures/test.ts';
import { recording, recordingLength, secretsAt, test, traffic, vaultsAddress } from '../../fixtures/vaults.ts';

const password = 'planted-password 5e21';
const long = `planted ${'a very long name '.repeat(12)}.txt`;

test('a Cryptomator vault is read in the browser: folders, long names, pictures, seeking and downloads; the server stores nothing of it', async ({
  page,
  account,
  storage,
  free,
}) => {
  test.setTimeout(120_000);
  const sent = traffic(page);
  const large = Buffer.alloc(200_000, 'planted content of a large file. ');
  const vault = join(storage.path, 'Safe');
  await makeCryptomatorVault(vault, {
    passphrase: password,
    combo: 'SIV_GCM',
    files: {
      'planted-note.txt': Buffer.from('planted note'),
      [long]: Buffer.from('planted long'),
      'planted-folder/planted-deep/planted-large.bin': large,
      'planted-folder/planted-photo.png': pngOf(200, 100),
      'planted-folder/planted-song.wav': recording(),
    },
  });
  await storage.put({ 'Other/': '' });
  await signUp(page, account);
  await linkFolder(page, 'Server', sftpInfo(storage.server, storage.path));
  const dialog = page.getByRole('dialog');
  const choose = async (name: string): Promise<void> => {
    await page.goto(vaultsAddress);
    await page.getByRole('button', { name: 'Open a Cryptomator vault…' }).click();
    await dialog.getByRole('button', { name: /^Folder/ }).click();
    await dialog.getByRole('button', { name: /^Server/ }).click();
    await dialog.getByRole('button', { name, exact: true }).click();
    await dialog.getByRole('button', { name: 'Continue' }).click();
  };
  const unlock = async (secret: string): Promise<void> => {
    await page.getByLabel('Password', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Unlock' }).click();
  };
  await choose('Other');
  await unlock(password);
  await expect(page.getByText('There is no vault of Cryptomator 8 in this folder')).toBeVisible();
  await choose('Safe');
  await unlock('not it');
  await expect(page.getByText('This is not the password of this vault.')).toBeVisible({ timeout: 20_000 });
  await expectAccessible(page);
  await unlock(password);
  await expect(page.getByRole('button', { name: long, exact: true })).toBeVisible({ timeout: 20_000 });
  await expectAccessible(page);
  await page.getByRole('button', { name: long, exact: true }).click();
  await expect(dialog.locator('pre')).toHaveText('planted long');
  await expect(dialog.getByText('Not proven: nothing is recorded of this file')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.getByLabel('Filter this folder').fill('LARGE');
  await expect(page.getByText('No name matches')).toBeVisible();
  await page.getByRole('button', { name: 'Look in folders below' }).click();
  await expect(page.getByText('1 found below this folder')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'planted-large.bin' }).click();
  await expect(page.getByRole('button', { name: 'planted-large.bin', exact: true })).toBeVisible();
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Safe' }).click();
  // Going back from a result shows the results again.
  await page.getByRole('button', { name: 'Back to the folder' }).click();
  await page.getByLabel('Filter this folder').fill('');
  await expect(page.getByRole('button', { name: long, exact: true })).toBeVisible();
  const zipping = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as zip' }).click();
  const zip = await zipping;
  expect(zip.suggestedFilename()).toBe('Safe.zip');
  const program =
    'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nprint(z.testzip(),*sorted((i.filename,i.file_size) for i in z.infolist()))';
  const inFolder = (name: string, size: number): string => `('planted-folder/${name}', ${size})`;
  expect((await run('python3', ['-c', program, await zip.path()])).trim()).toBe(
    [
      'None',
      `('${long}', 12)`,
      inFolder('', 0),
      inFolder('planted-deep/', 0),
      inFolder('planted-deep/planted-large.bin', large.length),
      inFolder('planted-photo.png', pngOf(200, 100).length),
      inFolder('planted-song.wav', recording().length),
      `('planted-note.txt', 12)`,
    ].join(' '),
  );

  await page.getByRole('link', { name: 'planted-folder' }).click();
  await expect(page.getByRole('listitem', { name: 'planted-photo.png' }).locator('img[data-thumbnail]')).toBeVisible();
  const ranges: number[] = [];
  page.context().on('request', (request) => {
    if (request.url().includes('/rest/content/download'))
      ranges.push(Number(/bytes=(\d+)/.exec(request.headers()['range'] ?? '')?.[1] ?? 0));
  });
  await page.getByRole('button', { name: 'planted-song.wav', exact: true }).click();
  const player = dialog.locator('audio');
  await expect.poll(() => player.evaluate((media) => (media as HTMLMediaElement).duration)).toBe(recordingLength);
  await player.evaluate(
    (media, time) =>
      new Promise<void>((resolve) => {
        media.addEventListener('seeked', () => resolve(), { once: true });
        (media as HTMLMediaElement).currentTime = time;
      }),
    recordingLength - 60,
  );
  expect(Math.max(...ranges)).toBeGreaterThan((recordingLength - 120) * 16_000);
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('link', { name: 'planted-deep' }).click();
  const begun = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download planted-large.bin' }).click();
  expect((await readFile(await (await begun).path())).equals(large)).toBe(true);
  expect(page.url()).not.toContain('planted');
  await page.goBack();
  await expect(page.getByRole('link', { name: 'planted-deep' })).toBeVisible();

  // The vault is unchanged, and a tampered part is detected.
  const note = (await run('find', [vault, '-name', '*.c9r', '-size', '-2', '-type', 'f', '-not', '-name', 'dir*'])).trim().split('\n');
  for (const file of note) await truncate(file, 70);
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Safe' }).click();
  await page.getByRole('button', { name: 'planted-note.txt', exact: true }).click();
  await expect(dialog.getByText('This file is damaged')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Lock now' }).click();
  await expect(page.getByRole('heading', { name: 'Safe is locked' })).toBeVisible();
  expect(await secretsAt({ free, page, traffic: await sent() }, [password, 'planted'])).toEqual([]);
});
