import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@sheaf/testbed';
import { hold } from '../../fixtures/held.ts';
import { linkFolder, sftpInfo } from '../../fixtures/storage.ts';
import { expect, expectAccessible, signUp } from '../../fixtures/test.ts';
import {
  signUpWithVault,
  recording,
  recordingLength,
  rcloneOf,
  secretsAt,
  test,
  traffic,
  vaultsAddress as address,
} from '../../fixtures/vaults.ts';

const passphrase = 'planted-passphrase 7f3c9e21';
const secretName = 'planted-name-5be8d0aa.txt';
const secretText = 'planted content 91d4 ';

test('a vault is created, filled, locked and unlocked in the browser; rclone opens it with the recovery words, and the server sees no secret', async ({
  page,
  account,
  storage,
  free,
}) => {
  test.setTimeout(180_000);
  const sent = traffic(page);
  const dialog = page.getByRole('dialog');
  const words = await signUpWithVault({ page, account, storage, passphrase });

  await page.getByRole('listitem', { name: 'Letters' }).getByRole('link', { name: 'Unlock' }).click();
  await page.getByLabel('Passphrase', { exact: true }).fill('not the passphrase');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('This is not the passphrase of this vault.')).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('Unlocked in this browser.')).toBeVisible({ timeout: 30_000 });

  await page.getByRole('button', { name: 'New folder' }).click();
  await dialog.getByLabel('Name').fill('planted-folder');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: 'planted-folder' }).click();
  await expect(page.getByText('This folder is empty')).toBeVisible();
  const large = Buffer.alloc(20_000_000, secretText);
  const source = await mkdtemp(join(tmpdir(), 'sheaf-files-'));
  await Promise.all([writeFile(join(source, secretName), secretText.repeat(5000)), writeFile(join(source, 'large.bin'), large)]);
  await page.getByLabel('Files to upload').setInputFiles([join(source, secretName), join(source, 'large.bin')]);
  const row = page.getByRole('listitem', { name: secretName });
  await expect(row).toBeVisible();
  await expect(page.getByRole('listitem', { name: 'large.bin' }).getByText('19 MB')).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);

  await row.getByRole('button', { name: secretName, exact: true }).click();
  await expect(dialog.locator('pre')).toContainText(secretText);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  // Simulates a download of hours: its content is held back after the header with the nonce.
  const going = Promise.withResolvers<void>();
  await page.route(/\/content\/download\?/, async (route, request) => {
    if (request.headers()['range'] !== 'bytes=0-31') await going.promise;
    await route.continue();
  });
  await page.clock.install();
  const begun = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Menu of large.bin' }).click();
  await page.getByRole('menuitem', { name: 'Download' }).click();
  const download = await begun;
  await page.clock.fastForward('10:00');
  going.resolve();
  const saved = await download.path();
  expect((await readFile(saved)).equals(large)).toBe(true);
  const ranged = await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL ?? '');
  expect(ranged).toContain('/vault-service.js');

  const { rclone, end } = await rcloneOf(join(storage.path, 'Letters'), words.join(' '));
  try {
    await expect.poll(() => rclone('lsf', '-R', 'vault:')).toMatch(/planted-folder\/\.sheaf-manifest-[0-9a-f]{16}\n/);
    const withoutManifests = ['--exclude', '.sheaf-manifest-*'];
    expect((await rclone('lsf', '-R', '--format', 'ps', ...withoutManifests, 'vault:')).split('\n').toSorted()).toEqual(
      [
        '',
        'planted-folder/;-1',
        'planted-folder/large.bin;20000000',
        `planted-folder/${secretName};${secretText.length * 5000}`,
      ].toSorted(),
    );
    expect(await rclone('cat', `vault:planted-folder/${secretName}`)).toBe(secretText.repeat(5000));
  } finally {
    await end();
    await rm(source, { recursive: true, force: true });
  }

  await page.getByRole('button', { name: 'Menu of large.bin' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog.getByLabel('Name').fill('planted-renamed.bin');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('listitem', { name: 'planted-renamed.bin' })).toBeVisible();
  await page.getByRole('button', { name: 'Menu of planted-renamed.bin' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('listitem', { name: 'planted-renamed.bin' })).toHaveCount(0);

  const [other] = [await page.context().newPage()];
  await other.goto(address);
  await expect(other.getByRole('listitem', { name: 'Letters' }).getByText('Locked')).toBeVisible();
  await page.getByRole('button', { name: 'Lock now' }).click();
  await expect(page.getByRole('heading', { name: 'Letters is locked' })).toBeVisible();
  await page.getByRole('button', { name: 'Use recovery words' }).click();
  await page.getByLabel('Recovery words').fill(words.join(' ').toUpperCase());
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('listitem', { name: secretName })).toBeVisible();

  const secrets = [passphrase, secretText, 'planted-', words.join(' '), words.slice(0, 3).join(' ')];
  expect(await secretsAt({ free, page, traffic: await sent() }, secrets)).toEqual([]);
});

test('an rclone folder is added once its passwords are verified, media can be seeked, and its passphrase can be changed', async ({
  page,
  account,
  storage,
}) => {
  test.setTimeout(120_000);
  const password = 'the old password 41';
  await storage.put({ 'Old/': '', 'Bare/': '' });
  const { rclone, end } = await rcloneOf(join(storage.path, 'Old'), password, 'filename_encoding = base64\n');
  const source = await mkdtemp(join(tmpdir(), 'sheaf-files-'));
  try {
    await writeFile(join(source, 'song.wav'), recording());
    await writeFile(join(source, 'note.txt'), 'first version');
    await rclone('copy', source, 'vault:inner');
    await storage.put({});
    await signUp(page, account);
    await linkFolder(page, 'Server', sftpInfo(storage.server, storage.path));
    await page.goto(address);
    const dialog = page.getByRole('dialog');
    const choose = async (name: string, secret: string, encoding = 'base64'): Promise<void> => {
      await page.getByRole('button', { name: 'Open an rclone folder…' }).click();
      await dialog.getByRole('button', { name: /^Folder/ }).click();
      await dialog.getByRole('button', { name: /^Server/ }).click();
      await dialog.getByRole('button', { name, exact: true }).click();
      await dialog.getByLabel('Password', { exact: false }).first().fill(secret);
      await dialog.getByLabel('Encoding').selectOption(encoding);
      await dialog.getByRole('button', { name: 'Add to the list' }).click();
    };
    await choose('Bare', 'anything');
    await expect(dialog.getByText('so they are unproven')).toBeVisible({ timeout: 20_000 });
    await expect(dialog.getByRole('button', { name: 'Add anyway' })).toBeEnabled();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await choose('Old', 'not it');
    await expect(dialog.getByText('These passwords open nothing in this folder.')).toBeVisible({ timeout: 20_000 });
    await expectAccessible(page);
    await dialog.getByLabel('Password', { exact: false }).first().fill(password);
    await dialog.getByRole('button', { name: 'Add to the list' }).click();
    await expect(dialog).toHaveCount(0, { timeout: 30_000 });

    const listed = page.getByRole('listitem', { name: 'Old' });
    await page.getByRole('button', { name: 'Menu of Old' }).click();
    await page.getByRole('menuitem', { name: 'Change passphrase' }).click();
    await dialog.getByLabel('Current passphrase').fill(password);
    await dialog.getByLabel(/^New passphrase/).fill(passphrase);
    await dialog.getByLabel('Repeat passphrase').fill(passphrase);
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await expect(dialog).toHaveCount(0, { timeout: 30_000 });
    await page.getByRole('button', { name: 'Menu of Old' }).click();
    await page.getByRole('menuitem', { name: 'Save for rclone' }).click();
    await dialog.getByLabel('Current passphrase').fill(passphrase);
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save file' }).click();
    // The saved file unchanged, with the storage as the remote named after the link.
    const config = await (await saving).path();
    const asServer = ['RCLONE_CONFIG_SERVER_TYPE=alias', `RCLONE_CONFIG_SERVER_REMOTE=${storage.path}`];
    const withSaved = (...args: readonly string[]) => run('env', [...asServer, 'rclone', '--config', config, ...args]);
    expect(await withSaved('cat', 'Old:inner/note.txt')).toBe('first version');

    await listed.getByRole('link', { name: 'Unlock' }).click();
    await page.getByLabel('Passphrase', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await expect(page.getByText('This is not the passphrase of this vault.')).toBeVisible({ timeout: 30_000 });
    await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByRole('link', { name: 'inner' }).click({ timeout: 30_000 });

    const ranges: number[] = [];
    page.context().on('request', (request) => {
      if (request.url().includes('/rest/content/download')) ranges.push(Number(/bytes=(\d+)/.exec(request.headers()['range'] ?? '')?.[1]));
    });
    // A preview that failed can be tried again.
    await page.context().route('**/rest/content/download**', (route) => route.fulfill({ status: 404, json: {} }));
    await page.getByRole('button', { name: 'song.wav', exact: true }).click();
    await expect(dialog.getByText('The file could not be read from its storage.')).toBeVisible();
    await page.context().unroute('**/rest/content/download**');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    const player = dialog.locator('audio');
    await expect.poll(async () => (await player.boundingBox())?.width).toBeGreaterThan(500);
    const far = recordingLength - 60;
    await expect.poll(() => player.evaluate((media) => (media as HTMLMediaElement).duration)).toBe(recordingLength);
    await player.evaluate(
      (media, time) =>
        new Promise<void>((resolve) => {
          media.addEventListener('seeked', () => resolve(), { once: true });
          (media as HTMLMediaElement).currentTime = time;
        }),
      far,
    );
    expect(await player.evaluate((media) => (media as HTMLMediaElement).currentTime)).toBe(far);
    expect(Math.max(...ranges)).toBeGreaterThan((far - 60) * 16_000);
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    const openNote = async (text: string): Promise<void> => {
      await page.getByRole('button', { name: 'note.txt', exact: true }).click();
      await expect(dialog.locator('pre')).toHaveText(text);
      await dialog.getByRole('button', { name: 'Close' }).last().click();
    };
    await openNote('first version');
    // Other content of the same size, under another nonce.
    await writeFile(join(source, 'note.txt'), 'other version');
    await rclone('copy', '--ignore-times', join(source, 'note.txt'), 'vault:inner');
    await storage.put({});
    await openNote('other version');

    // Files written by rclone are unrecorded until the user records them; then cut and swapped files are detected, but stay accessible.
    const again = async (): Promise<void> => {
      await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Old' }).click();
      await page.getByRole('link', { name: 'inner' }).click();
    };
    const warns = async (name: string, text: string | RegExp): Promise<void> => {
      await page.getByRole('button', { name }).first().click();
      await expect(dialog.getByText(text)).toBeVisible();
    };
    await writeFile(join(source, 'more.txt'), 'something else');
    await rclone('copy', join(source, 'more.txt'), 'vault:inner');
    await storage.put({});
    // The page still shows the old listing while it reloads; recording uses the current contents.
    const listing = await hold(page, 'remote_update');
    await again();
    await expect(page.getByText('The files here are not proven')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Files and folders' }).getByRole('listitem')).toHaveCount(2);
    await page.getByRole('button', { name: 'Record them as they are now' }).click();
    listing.release();
    await expect(page.getByText('All files here are recorded')).toBeVisible({ timeout: 30_000 });
    await expect.poll(() => rclone('lsf', '-R', 'vault:')).toMatch(/inner\/\.sheaf-manifest-/);
    await warns('note.txt', 'Proven: whole');
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    const names = await withSaved('cryptdecode', '--reverse', 'Old:', 'inner/song.wav');
    await truncate(join(storage.path, 'Old', names.split('\t').at(-1)?.trim() ?? ''), 32 + 65_552 * 10);
    for (const [from, to] of [
      ['note.txt', 'aside'],
      ['more.txt', 'note.txt'],
      ['aside', 'more.txt'],
    ])
      await rclone('moveto', `vault:inner/${from}`, `vault:inner/${to}`);
    await writeFile(join(source, 'new.txt'), 'from rclone');
    await rclone('copy', join(source, 'new.txt'), 'vault:inner');
    await storage.put({});
    await again();
    await expect(page.getByLabel('Its size is not the one that was recorded')).toHaveCount(3);
    await warns('song.wav', /The end of this file is missing: 640 KB of/);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await warns('note.txt', 'This is the content that was stored as “more.txt”');
    await expect(dialog.locator('pre')).toHaveText('something else');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await warns('new.txt', 'Not proven: nothing is recorded of this file');
    await expect(dialog.locator('pre')).toHaveText('from rclone');
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    await mkdir(join(source, 'tree/sub'), { recursive: true });
    await writeFile(join(source, 'tree/sub/deep.txt'), 'far below');
    await page.getByLabel('Folder to upload').setInputFiles(join(source, 'tree'));
    await expect(page.getByRole('link', { name: 'tree' })).toBeVisible();
    await expect.poll(() => rclone('lsf', '-R', 'vault:inner/tree')).toMatch(/sub\/\.sheaf-manifest-/);
    expect(await rclone('cat', 'vault:inner/tree/sub/deep.txt')).toBe('far below');
    await page.getByLabel('Choose new.txt').check();
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await dialog.getByRole('button', { name: 'inner' }).click();
    await dialog.getByRole('button', { name: 'tree' }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Move here' }).click();
    await expect(dialog).toHaveCount(0, { timeout: 20_000 });
    await expect(page.getByRole('listitem', { name: 'new.txt' })).toHaveCount(0);
    expect(await rclone('cat', 'vault:inner/tree/new.txt')).toBe('from rclone');

    await page.getByLabel('Filter this folder').fill('DEEP');
    await page.getByRole('button', { name: 'Look in folders below' }).click();
    await expect(page.getByText('1 found below this folder')).toBeVisible();
    await page.getByRole('link', { name: 'deep.txt' }).click();
    await expect(page.getByText('All files here are recorded')).toBeVisible({ timeout: 30_000 });
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'inner' }).click();
    await page.getByLabel('Filter this folder').fill('');
    await page.getByLabel('Choose tree').check();
    const zipping = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as zip' }).click();
    const zip = await zipping;
    expect(zip.suggestedFilename()).toBe('tree.zip');
    const program = 'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nprint(sorted((n,z.read(n)) for n in z.namelist()))';
    expect((await run('python3', ['-c', program, await zip.path()])).trim()).toBe(
      "[('tree/', b''), ('tree/new.txt', b'from rclone'), ('tree/sub/', b''), ('tree/sub/deep.txt', b'far below')]",
    );
  } finally {
    await end();
    await rm(source, { recursive: true, force: true });
  }
});
