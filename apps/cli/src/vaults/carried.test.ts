import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  childUri,
  createAppPassword,
  createSchedule,
  createVault,
  listSchedules,
  oneTransfer,
  planTransfer,
  resolvePath,
  runSchedule,
  startTransfer,
} from '@sheaf/contract';
import { eventually, run } from '@sheaf/testbed';
import { cryptSection, newWords, usualNames, wrap } from '@sheaf/vault';
import { setting } from '../testing/setting.ts';

const passphrase = 'planted passphrase 8813';
/** A file of more than three blocks, and nested folders. */
const contents = { 'planted-note.txt': 'planted content '.repeat(15_000), 'planted-trip/planted-deep/planted-day.txt': 'planted day' };

/** Creates a vault "Letters" on the link "Attic", filled by rclone, and folders next to it for the copies. */
async function filledVault(t: TestContext) {
  const app = await setting(t);
  const { ask, source, local, put, sheafWith } = app;
  const passwords = { password: newWords(), password2: '' };
  const wrapped = await wrap(passphrase, passwords, usualNames);
  const { item: attic } = await ask(resolvePath, { path: 'Attic' });
  await ask(createVault, { parentLinkUri: attic.linkUri, name: 'Letters', options: JSON.stringify(usualNames), wrapped });
  await put(join(local, 'clear'), contents);
  const config = join(local, 'rclone.conf');
  // rclone 1.60 fails with the certificate authorities that this variable names.
  const rclone = (...args: readonly string[]) => run('env', ['-u', 'AWS_CA_BUNDLE', 'rclone', '--config', config, ...args]);
  /** Adds an rclone remote for the vault at another location, as Sheaf's export writes it. */
  const sections: string[] = [];
  const remote = async (name: string, place: string): Promise<void> => {
    sections.push(cryptSection(name, place, passwords, usualNames));
    await writeFile(config, sections.join('\n'));
  };
  await remote('letters', join(source, 'Letters'));
  await rclone('copy', join(local, 'clear'), 'letters:');
  return {
    ...app,
    atticUri: attic.linkUri,
    wrapped,
    rclone,
    remote,
    sections,
    config,
    vault: (...args: readonly string[]) => sheafWith(`${passphrase}\n`, 'vault', ...args),
  };
}

/** Returns the SHA-256 of each file below a folder, by path. */
async function storedBelow(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(await Promise.all(files.map(async (file) => [file.slice(folder.length), hash('sha256', await readFile(file))] as const)));
}

test('a scheduled backup and a mirror of a vault are identical to it, open with its passphrase, and are readable by rclone', async (t) => {
  const { ask, source, local, atticUri, wrapped, rclone, remote, vault } = await filledVault(t);
  const uriOf = (name: string): string => childUri(atticUri, name);
  for (const name of ['Backup', 'Mirror']) await mkdir(join(source, name));
  const route = { linkUri: [uriOf('Letters')], conflict: 'fail' as const };

  const schedule = {
    ...route,
    kind: 'mirror' as const,
    parentLinkUri: uriOf('Backup'),
    name: 'Nightly',
    cron: '30 2 * * *',
    timezone: 'Europe/Berlin',
  };
  const { scheduleId } = await ask(createSchedule, schedule);
  await ask(runSchedule, { scheduleId });
  await eventually(async () => (await ask(listSchedules, {})).schedules[0]?.lastResult === 'done', 'the backup is done');
  const { transferId } = await ask(planTransfer, { ...route, kind: 'mirror', parentLinkUri: uriOf('Mirror') });
  const stateOf = async () => (await ask(oneTransfer, { transferId })).state;
  await eventually(async () => (await stateOf()) === 'planned', 'the mirror is planned');
  await ask(startTransfer, { transferId });
  await eventually(async () => (await stateOf()) === 'done', 'the mirror is done');

  const stored = await storedBelow(join(source, 'Letters'));
  assert.equal(stored.size, 2);
  for (const name of ['Backup', 'Mirror']) {
    const place = join(source, name, 'Letters');
    assert.deepEqual(await storedBelow(place), stored, name);
    assert.ok((await readdir(place, { recursive: true })).every((path) => !path.includes('planted')));
    await remote(name.toLowerCase(), place);
    await rclone('cryptcheck', join(local, 'clear'), `${name.toLowerCase()}:`);
    // Added to the list of vaults with the passphrase of the original.
    await ask(createVault, { linkUri: childUri(uriOf(name), 'Letters'), name, options: JSON.stringify(usualNames), wrapped });
    assert.equal((await vault('get', `${name}/planted-note.txt`, '-')).out, contents['planted-note.txt']);
    assert.equal((await vault('ls', `${name}/planted-trip/planted-deep`)).out, 'planted-day.txt\n');
  }
});

test('WebDAV and S3 give the stored bytes of a vault, and rclone opens it over both', async (t) => {
  const { ask, url, source, local, atticUri, rclone, remote, sections, config } = await filledVault(t);
  const keys = await ask(createAppPassword, { name: 'Test', linkUri: [atticUri], rights: 'read' });
  const obscured = (await run('rclone', ['obscure', keys.password])).trim();
  sections.push(
    `[dav]\ntype = webdav\nurl = ${url}/dav\nvendor = other\nuser = ${keys.username}\npass = ${obscured}\n`,
    `[objects]\ntype = s3\nprovider = Other\nendpoint = ${url}/s3\naccess_key_id = ${keys.accessKeyId}\nsecret_access_key = ${keys.secretAccessKey}\n`,
  );
  await writeFile(config, sections.join('\n'));
  const stored = await storedBelow(join(source, 'Letters'));
  for (const [title, place] of [
    ['overdav', 'dav:Attic/Letters'],
    ['overobjects', 'objects:attic/Letters'],
  ] as const) {
    const fetched = join(local, title);
    await rclone('copy', place, fetched);
    assert.deepEqual(await storedBelow(fetched), stored, title);
    await remote(title, place);
    await rclone('check', '--download', join(local, 'clear'), `${title}:`);
    assert.equal(await rclone('cat', `${title}:planted-trip/planted-deep/planted-day.txt`), 'planted day');
  }
});
