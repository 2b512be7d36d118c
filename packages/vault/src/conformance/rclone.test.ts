import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import {
  type NameOptions,
  type Vault,
  cryptSection,
  newManifestName,
  openVault,
  readPart,
  remotesOf,
  sealedSize,
  usualNames,
  writePart,
} from '../index.ts';
import { obscure, revealPassword } from '../keys/rclone-conf.ts';

const run = promisify(execFile);
const passwords = { password: 'pässword 1', password2: 'sält' };

/** Sets up an rclone remote `vault:` over a folder, and our vault with the same passwords. */
async function remote(t: TestContext, options: Partial<NameOptions> = {}, { password, password2 } = passwords) {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-vault-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const names = { ...usualNames, ...options };
  const obscured = async (text: string): Promise<string> => (await run('rclone', ['obscure', text])).stdout.trim();
  const lines = [
    '[vault]\ntype = crypt',
    `remote = ${join(folder, 'sealed')}`,
    `password = ${await obscured(password)}`,
    ...(password2 === '' ? [] : [`password2 = ${await obscured(password2)}`]),
    `filename_encryption = ${names.filename_encryption}`,
    `filename_encoding = ${names.filename_encoding}`,
    `directory_name_encryption = ${String(names.directory_name_encryption)}`,
  ];
  const config = join(folder, 'rclone.conf');
  await writeFile(config, `${lines.join('\n')}\n`);
  await Promise.all(['sealed', 'clear'].map((name) => mkdir(join(folder, name))));
  const rclone = async (...args: readonly string[]): Promise<string> =>
    (await run('rclone', ['--config', config, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout;
  return { folder, rclone, vault: await openVault({ password, password2 }, names) };
}

async function* read(bytes: Uint8Array, start: number, length: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < start + length; at += 50_000) yield bytes.subarray(at, Math.min(at + 50_000, start + length));
}

async function opened(vault: Vault, sealed: Uint8Array, start = 0, end = Number.MAX_SAFE_INTEGER): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const nonce = vault.nonceOf(sealed.subarray(0, 32));
  for await (const part of vault.files.read((from, length) => read(sealed, from, length), { size: sealed.length, nonce, start, end }))
    parts.push(part);
  return Buffer.concat(parts);
}

const bytes = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8)) & 255);
const sizes = [0, 1, 15, 16, 65_535, 65_536, 65_537, 131_072, 300_001];

/** Characters that a local file system accepts in names, in each mode. */
const letters = [...'abcXYZ019 .-_!äßéñ中文ключ🌾~#%&()[]{}', '\u00a0', 'ÿ', '\u0100', '\ud7ff', '-v2021-02-28-101112-345'];
const nameOf = (longest: number): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...letters), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 })), {
      minLength: 1,
      maxLength: longest,
    })
    .map((parts) => parts.join(''))
    .filter((name) => !/[/\0\n\r]/.test(name) && name !== '.' && name !== '..' && name.isWellFormed());

/** Compares item by item, because a diff of two long lists is unreadable. */
function same(answer: unknown, expected: readonly string[]): void {
  assert.ok(Array.isArray(answer));
  assert.equal(answer.length, expected.length);
  expected.forEach((name, index) => assert.equal(answer[index], name));
}

const modes: readonly (readonly [title: string, options: Partial<NameOptions>, names: number])[] = [
  ['base32', {}, 10_000],
  ['base64', { filename_encoding: 'base64' }, 2000],
  ['base32768', { filename_encoding: 'base32768' }, 2000],
  ['obfuscate', { filename_encryption: 'obfuscate' }, 2000],
  ['clear names', { filename_encryption: 'off' }, 200],
  ['clear folders', { directory_name_encryption: false }, 200],
];

for (const [title, options, count] of modes)
  test(`${title}: random names encrypt and decrypt as in rclone`, async (t) => {
    const { rclone, vault } = await remote(t, options);
    // Where names stay clear, rclone treats a version without a name as a foreign file.
    const names = [...new Set(fc.sample(nameOf(12), { numRuns: count, seed: 18 }))].filter(
      (name) => title !== 'clear names' || !name.startsWith('-v2021'),
    );
    const some = names
      .filter((name) => !name.startsWith('-v2021'))
      .slice(0, 10)
      .map((name) => [vault.names.encryptFile(name), name]);
    const told = await rclone('cryptdecode', 'vault:', '--', ...some.map(([sealed = '']) => sealed));
    assert.equal(told, some.map(([sealed, name]) => `${sealed} \t ${name}\n`).join(''));
    for (let at = 0; at < names.length; at += 500) {
      const part = names.slice(at, at + 500);
      const sealed = part.map((name) => vault.names.encryptFile(name));
      const decoded = JSON.parse(await rclone('backend', 'decode', '--json', 'vault:', '--', ...sealed)) as string[];
      same(sealed.map(vault.names.decryptFile), decoded);
      same(JSON.parse(await rclone('backend', 'encode', '--json', 'vault:', '--', ...part)), sealed);
      // rclone too returns the parts of a name that begins with a version in another order.
      const isKept = (_: unknown, index: number): boolean => part[index]?.startsWith('-v2021') === false;
      same(decoded.filter(isKept), part.filter(isKept));
      same(part.map((name) => vault.names.decryptFolder(vault.names.encryptFolder(name))).filter(isKept), part.filter(isKept));
    }
  });

for (const [title, options] of modes)
  test(`${title}: rclone reads our files and folders, and we read those of rclone`, async (t) => {
    const { folder, rclone, vault } = await remote(t, options);
    const sealed = join(folder, 'sealed');
    const ours = join(sealed, vault.names.encryptFolder('Ours -v2020-01-01-000000-000'));
    await mkdir(ours);
    for (const size of sizes) {
      const clear = bytes(size);
      await writeFile(join(ours, vault.names.encryptFile(`${size}.bin`)), vault.files.seal(vault.newNonce(), clear));
      await writeFile(join(folder, 'clear', `${size}.bin`), clear);
    }
    const clear = join(folder, 'clear');
    await rclone('cryptcheck', clear, 'vault:Ours -v2020-01-01-000000-000');
    await rclone('copy', clear, 'vault:Theirs/Inner');
    const [theirs = ''] = (await readdir(sealed)).filter((name) => vault.names.decryptFolder(name) === 'Theirs');
    const [inner = ''] = await readdir(join(sealed, theirs));
    assert.equal(vault.names.decryptFolder(inner), 'Inner');
    for (const name of await readdir(join(sealed, theirs, inner))) {
      const size = Number.parseInt(vault.names.decryptFile(name) ?? '', 10);
      const file = await readFile(join(sealed, theirs, inner, name));
      assert.equal(file.length, sealedSize(size));
      assert.ok((await opened(vault, file)).equals(bytes(size)));
    }
  });

test('a vault without a second password derives the same keys as rclone', async (t) => {
  const { rclone, vault } = await remote(t, {}, { password: 'only one', password2: '' });
  assert.equal(await rclone('cryptdecode', '--reverse', 'vault:', 'name'), `name \t ${vault.names.encryptFile('name')}\n`);
});

test('passwords are obscured and revealed as rclone does it', async () => {
  assert.equal((await run('rclone', ['reveal', '--', obscure('pässword`"\\')])).stdout.trim(), 'pässword`"\\');
  assert.equal(revealPassword((await run('rclone', ['obscure', 'a secret'])).stdout.trim()), 'a secret');
});

test('rclone opens a vault with the section that we write, and rejects wrong passwords', async (t) => {
  const { folder, vault } = await remote(t);
  const name = vault.names.encryptFile('letter.txt');
  await writeFile(join(folder, 'sealed', name), vault.files.seal(vault.newNonce(), bytes(100)));
  const config = join(folder, 'written.conf');
  await writeFile(config, cryptSection('papers', join(folder, 'sealed'), passwords, usualNames));
  assert.equal((await run('rclone', ['--config', config, 'lsf', '--format', 'ps', 'papers:'])).stdout, 'letter.txt;100\n');
});

test('remote names that rclone refuses are replaced by valid ones, and a vault is never its own remote', async (t) => {
  const { folder, vault } = await remote(t);
  const sealed = join(folder, 'sealed');
  await writeFile(join(sealed, vault.names.encryptFile('letter.txt')), vault.files.seal(vault.newNonce(), bytes(100)));
  const config = join(folder, 'written.conf');
  for (const [own, link] of [
    ['Größe & mehr', 'Müllers Ablage'],
    ['-a+b@c/d]-', ' NAS '],
    ['NAS', 'NAS'],
  ] as const) {
    const { name, remote: place, storage } = remotesOf(own, `${link}/sealed`);
    await writeFile(config, `[${storage}]\ntype = alias\nremote = ${folder}\n${cryptSection(name, place, passwords, usualNames)}`);
    assert.equal((await run('rclone', ['--config', config, 'lsf', `${name}:`])).stdout, 'letter.txt\n', name);
  }
});

test('rclone treats a manifest as a file: it reads, checks, copies and removes the folder without an error', async (t) => {
  const { folder, rclone, vault } = await remote(t);
  const place = join(folder, 'sealed', vault.names.encryptFolder('Letters'));
  await mkdir(place);
  const nonce = vault.newNonce();
  const part = { folder: 'root', records: [{ name: 'a.txt', at: 1, nonce: nonce.toBase64(), size: 5 }] };
  const name = newManifestName();
  await writeFile(join(place, vault.names.encryptFile('a.txt')), vault.files.seal(nonce, bytes(5)));
  await writeFile(
    join(place, vault.names.encryptFile(name)),
    vault.files.seal(vault.newNonce(), new TextEncoder().encode(writePart(part))),
  );
  assert.deepEqual(readPart(await rclone('cat', `vault:Letters/${name}`)), part);
  assert.equal(await rclone('lsf', '--exclude', '.sheaf-manifest-*', 'vault:Letters'), 'a.txt\n');
  await writeFile(join(folder, 'clear', 'a.txt'), bytes(5));
  await rclone('cryptcheck', '--one-way', join(folder, 'clear'), 'vault:Letters');
  await rclone('copy', 'vault:Letters', 'vault:Copy');
  assert.deepEqual(readPart(await rclone('cat', `vault:Copy/${name}`)), part);
  // A sync deletes the manifest, which the source does not have; the folder can then be removed.
  await rclone('sync', join(folder, 'clear'), 'vault:Letters');
  assert.equal(await rclone('lsf', 'vault:Letters'), 'a.txt\n');
  await rclone('delete', 'vault:Letters');
  await rclone('rmdir', 'vault:Letters');
  // This is why the manifest has a name of the vault: rclone skips any other file, and then cannot remove the folder.
  await writeFile(join(folder, 'sealed', vault.names.encryptFolder('Copy'), '.unknown'), 'x');
  await rclone('delete', 'vault:Copy');
  await assert.rejects(rclone('rmdir', 'vault:Copy'), /directory not empty/);
});
