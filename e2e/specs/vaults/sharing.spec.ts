import { mkdir, mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@sheaf/testbed';
import { expect, expectAccessible } from '../../fixtures/test.ts';
import { recording, recordingLength, secretsAt, shareFromVault, signUpWithVault, test, traffic, unlock } from '../../fixtures/vaults.ts';

const passphrase = 'planted-passphrase 0b7e44';
const password = 'planted-password 93c1';
const content = 'planted content 6a2f ';

test('a vault item is re-encrypted for its share; visitors decrypt it with the key in the address, which no server sees', async ({
  page,
  account,
  storage,
  free,
  browser,
}) => {
  test.setTimeout(240_000);
  const sent = traffic(page);
  const words = await signUpWithVault({ page, account, storage, passphrase });
  await unlock(page, 'Letters', passphrase);
  const dialog = page.getByRole('dialog');
  const source = await mkdtemp(join(tmpdir(), 'sheaf-files-'));
  await mkdir(join(source, 'planted-trip/planted-deep'), { recursive: true });
  await Promise.all([
    writeFile(join(source, 'planted-trip/planted-note.txt'), content.repeat(5000)),
    writeFile(join(source, 'planted-trip/planted-deep/planted-song.wav'), recording()),
    writeFile(join(source, 'planted-alone.txt'), content),
  ]);
  await page.getByLabel('Folder to upload').setInputFiles(join(source, 'planted-trip'));
  await page.getByLabel('Files to upload').setInputFiles(join(source, 'planted-alone.txt'));
  await expect(page.getByRole('listitem', { name: 'planted-alone.txt' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('list', { name: 'Uploads' })).toHaveCount(0, { timeout: 60_000 });

  const address = await shareFromVault(page, 'planted-trip', async () => {
    await dialog.getByPlaceholder('Anyone with the link can open it').fill(password);
    await expectAccessible(page);
  });
  const [withoutKey = '', key = ''] = address.split('#');
  expect(key).toMatch(/^[\w-]{43}$/);
  const limited = await shareFromVault(page, 'planted-alone.txt', async () => {
    await dialog.getByText('More choices').click();
    await dialog.getByLabel('Limit of downloads').fill('1');
    await dialog.getByLabel('Visitors may look, but not download').check();
  });
  // The vault does not list the share's folder, and rclone still works.
  await expect(page.getByRole('list', { name: 'Files and folders' }).getByRole('listitem')).toHaveCount(2);

  const context = await browser.newContext({ baseURL: free.url });
  const guest = await context.newPage();
  const seenByGuest = traffic(guest);
  await guest.goto(withoutKey);
  await guest.getByLabel('Password', { exact: true }).fill('not it');
  await guest.getByRole('button', { name: 'Open' }).click();
  await expect(guest.getByRole('alert')).toBeVisible();
  await guest.getByLabel('Password', { exact: true }).fill(password);
  await guest.getByRole('button', { name: 'Open' }).click();
  await expect(guest.getByRole('heading', { name: 'The key is missing' })).toBeVisible();
  await guest.goto(`${withoutKey}#${'A'.repeat(43)}`);
  await expect(guest.getByText('The key in this address does not open the share.')).toBeVisible();
  await guest.goto(address);
  await guest.getByRole('link', { name: 'planted-trip' }).click();
  await expect(guest.getByRole('heading', { name: 'planted-trip' })).toBeVisible();
  await expectAccessible(guest);
  const shown = guest.getByRole('dialog');
  await guest.getByRole('button', { name: 'planted-note.txt', exact: true }).click();
  await expect(shown.locator('pre')).toContainText(content);
  await expect(shown.getByText('Proven: whole')).toBeVisible();
  const saving = guest.waitForEvent('download');
  await shown.getByRole('button', { name: 'Download' }).click();
  expect(await readFile(await (await saving).path(), 'utf8')).toBe(content.repeat(5000));
  await shown.getByRole('button', { name: 'Close' }).last().click();
  const zipping = guest.waitForEvent('download');
  await guest.getByRole('button', { name: 'Download all' }).click();
  const zip = await zipping;
  expect(zip.suggestedFilename()).toBe('planted-trip.zip');
  const program =
    'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nprint(sorted((n,z.getinfo(n).file_size,z.testzip()) for n in z.namelist()))';
  expect((await run('python3', ['-c', program, await zip.path()])).trim()).toBe(
    `[('planted-deep/', 0, None), ('planted-deep/planted-song.wav', ${recording().length}, None), ('planted-note.txt', ${content.length * 5000}, None)]`,
  );

  await guest.getByRole('link', { name: 'planted-deep' }).click();
  const ranges: number[] = [];
  context.on('request', (request) => {
    if (request.url().includes('/rest/weblink/download')) ranges.push(Number(/bytes=(\d+)/.exec(request.headers()['range'] ?? '')?.[1]));
  });
  await guest.getByRole('button', { name: 'planted-song.wav', exact: true }).click();
  const player = shown.locator('audio');
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
  await shown.getByRole('button', { name: 'Close' }).last().click();
  // No address that a reload would send contains a clear name.
  expect(guest.url()).not.toContain('planted');
  await guest.reload();
  await expect(guest.getByRole('heading', { name: 'planted-deep' })).toBeVisible();

  await guest.goto(limited);
  await expect(guest.getByRole('button', { name: 'planted-alone.txt', exact: true })).toBeVisible();
  await expect(guest.getByRole('button', { name: /Download/ })).toHaveCount(0);
  await guest.getByRole('button', { name: 'planted-alone.txt', exact: true }).click();
  await expect(shown.locator('pre')).toContainText(content);
  await shown.getByRole('button', { name: 'Close' }).last().click();

  // The stored files reveal neither names nor contents, and a cut file is detected.
  const vault = join(storage.path, 'Letters');
  const files = await readdir(vault, { recursive: true });
  expect(files.filter((name) => /planted|sheaf/.test(name))).toEqual([]);
  const copies = files.filter((name) => /\/\d+$/.test(name));
  expect(copies).toHaveLength(3);
  for (const name of copies) {
    expect((await readFile(join(vault, name), 'latin1')).includes('planted')).toBe(false);
    await truncate(join(vault, name), 32);
  }
  await guest.goto(address);
  await guest.getByRole('link', { name: 'planted-trip' }).click();
  await guest.getByRole('button', { name: 'planted-note.txt', exact: true }).click();
  await expect(shown.getByText(/damaged|could not be read/)).toBeVisible();
  await shown.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('button', { name: 'Shared from this vault' }).click();
  const shares = dialog.getByRole('list', { name: 'Shares' });
  await expect(shares.getByRole('listitem')).toHaveCount(2);
  await expect(shares.getByRole('listitem', { name: 'planted-trip' }).getByLabel('Address')).toHaveValue(address);
  await expect(shares.getByRole('listitem', { name: 'planted-alone.txt' })).toContainText('no download, 1 of 1 downloads');
  await expectAccessible(page);
  await shares.getByRole('listitem', { name: 'planted-trip' }).getByRole('button', { name: 'Stop sharing' }).click();
  await expect(shares.getByRole('listitem')).toHaveCount(1);
  await guest.goto('/about');
  await guest.goto(address);
  await expect(guest.getByRole('heading', { name: /no longer|not available|does not exist|unavailable/i }).first()).toBeVisible();
  await expect.poll(async () => (await readdir(vault, { recursive: true })).filter((name) => /\/\d+$/.test(name)).length).toBe(1);

  const secrets = [key, limited.split('#')[1] ?? '', passphrase, content, 'planted-trip', 'planted-note', 'planted-alone', words.join(' ')];
  const all = `${await sent()}\n${await seenByGuest()}`;
  expect(await secretsAt({ free, page, traffic: all }, secrets)).toEqual([]);
  expect(await secretsAt({ free, page: guest, traffic: '' }, secrets)).toEqual([]);
  await context.close();
  await rm(source, { recursive: true, force: true });
});
