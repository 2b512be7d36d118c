import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeCryptomatorVault } from '@sheaf/testbed';
import { createCryptomatorFiles } from './contents.ts';
import { openMasterkey, readConfig } from './masterkey.ts';
import { createCryptomatorNames } from './names.ts';
import { type CryptomatorVault, openCryptomator } from './vault.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));
const filled = (byte: number, size = 32): Uint8Array => new Uint8Array(size).fill(byte);
/** Keys from the published unit tests of Cryptomator's library cryptolib. */
const published = { encryption: filled(0x55), mac: filled(0x77) };

/** From cryptolib's MasterkeyFileAccessTest: passphrase "asd", both keys zero. */
const keyFile = JSON.stringify({
  version: 7,
  scryptSalt: 'AAAAAAAAAAA=',
  scryptCostParam: 2,
  scryptBlockSize: 8,
  primaryMasterKey: 'mM+qoQ+o0qvPTiDAZYt+flaC3WbpNAx1sTXaUzxwpy0M9Ctj6Tih/Q==',
  hmacMasterKey: 'mM+qoQ+o0qvPTiDAZYt+flaC3WbpNAx1sTXaUzxwpy0M9Ctj6Tih/Q==',
  versionMac: 'cn2sAK6l9p1/w9deJVUuW3h7br056mpv5srvALiYw+g=',
});

test("Cryptomator's published key file opens with its passphrase only, and a changed version is detected", async () => {
  assert.deepEqual(await openMasterkey(keyFile, 'asd'), { encryption: filled(0), mac: filled(0) });
  assert.equal(await openMasterkey(keyFile, 'qwe'), undefined);
  await assert.rejects(openMasterkey(keyFile.replace('"version":7', '"version":6'), 'asd'), /version/);
  const costs = (cost: string): string => keyFile.replace('"scryptCostParam":2', `"scryptCostParam":${cost}`);
  for (const wrong of ['null', '{}', costs('1073741824'), costs('"2"'), costs('-1')]) await assert.rejects(openMasterkey(wrong, 'asd'));
});

test("Cryptomator's published configuration is verified with the keys; unsigned and foreign ones are refused", () => {
  // From cryptofs' VaultConfigTest.
  const body =
    'eyJmb3JtYXQiOjgsInNob3J0ZW5pbmdUaHJlc2hvbGQiOjIyMCwianRpIjoiZjRiMjlmM2EtNDdkNi00NjlmLTk2NGMtZjRjMmRhZWU4ZWI2IiwiY2lwaGVyQ29tYm8iOiJTSVZfQ1RSTUFDIn0';
  const token = `eyJraWQiOiJURVNUX0tFWSIsInR5cCI6IkpXVCIsImFsZyI6IkhTMjU2In0.${body}.V7pqSXX1tBRgmntL1sXovnhNR4Z1_7z3Jzrq7NMqPO8`;
  assert.deepEqual(readConfig(token, { encryption: filled(0x55), mac: filled(0x55) }), { cipherCombo: 'SIV_CTRMAC' });
  assert.throws(() => readConfig(token, published), /belong to another/);
  const unsigned = `${Buffer.from('{"kid":"TEST_KEY","typ":"JWT","alg":"none"}').toString('base64url')}.${body}.`;
  assert.throws(() => readConfig(unsigned, published), /not signed/);
});

test("folder paths match those of Cryptomator's library", () => {
  const { folderPath } = createCryptomatorNames(published);
  assert.equal(folderPath(''), 'd/VL/WEHT553J5DR7OZLRJAYDIWFCXZABOD');
  assert.equal(folderPath('918acfbd-a467-3f77-93f1-f4a44f9cfe9c'), 'd/7C/3USOO3VU7IVQRKFMRFV3QE4VEZJECV');
});

test("headers and chunks of Cryptomator's library open, and each flipped byte is an error", async () => {
  const gcm = createCryptomatorFiles(published, 'SIV_GCM');
  const header = hex(`F0F0F0F0F0F0F0F0F0F0F0F0 1C8719F03122868FDB9D9703A08608D5885896C2E6604BB9EA6431D4A05D476FE41F3231F2C0611F
    6D42988243F21F43F644FD6DF7A93F0B`);
  assert.deepEqual(gcm.openHeader(header), { nonce: filled(0xf0, 12), contentKey: filled(0xf0) });
  const older = hex(`F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0 0D91F29CC635D75E1E42231EC79057E38D98F358072C9F03BCEA5A983B6862893EBC5E5E2739CB8E
    D42761068E7F3A4EC79F4D3E2057DCE465A5FF93C27BD2B83FE3D08CB392ED96`);
  const ctr = createCryptomatorFiles(published, 'SIV_CTRMAC');
  assert.deepEqual(ctr.openHeader(older), { nonce: filled(0xf0, 16), contentKey: filled(0xf0) });
  for (const [files, good] of [
    [gcm, header],
    [ctr, older],
  ] as const)
    for (let at = 0; at < good.length; at++) {
      const bad = Uint8Array.from(good);
      bad[at] = (bad[at] ?? 0) ^ 1;
      assert.throws(() => files.openHeader(bad), { damage: 'foreign' }, String(at));
    }
  const chunk = hex('555555555555555555555555 52C5EE8D7FB44EF28AEC55 3CC70265E5352CB5A09A43AE0F5CA15D');
  const read = async (bytes: Uint8Array): Promise<string> => {
    const source = async function* () {
      yield bytes;
    };
    const whole = { size: 68 + bytes.length, header: { nonce: filled(0x55, 12), contentKey: filled(0x77) }, start: 0, end: 11 };
    return Buffer.concat(await Array.fromAsync(gcm.read(source, whole))).toString();
  };
  assert.equal(await read(chunk), 'hello world');
  for (let at = 0; at < chunk.length; at++) {
    const bad = Uint8Array.from(chunk);
    bad[at] = (bad[at] ?? 0) ^ 1;
    await assert.rejects(read(bad), { damage: 'block' });
  }
});

const long = `${'a very long name '.repeat(14)}.txt`;
const large = Buffer.alloc(100_000, 'chunks of it, ');
const tree = {
  'note.txt': Buffer.from('a note'),
  'empty.txt': Buffer.alloc(0),
  [long]: Buffer.from('long'),
  'Fotos/Ärger.bin': large,
  [`Fotos/${long.slice(0, 200)}/deep.txt`]: Buffer.from('deep'),
};

/** Reads the whole vault: clear contents by clear path. */
async function readAll(vault: CryptomatorVault, root: string, id = '', path = ''): Promise<[string, string][]> {
  const place = join(root, vault.names.folderPath(id));
  const all: [string, string][] = [];
  for (const entry of await readdir(place, { withFileTypes: true })) {
    const within = join(place, entry.name);
    if (entry.name === 'dirid.c9r') continue;
    const sealed = entry.name.endsWith('.c9s') ? await readFile(join(within, 'name.c9s'), 'utf8') : entry.name;
    if (entry.name.endsWith('.c9s')) assert.ok(vault.names.isShortened(entry.name, sealed));
    const name = vault.names.decrypt(sealed, id) ?? '?';
    const files = entry.isDirectory() ? await readdir(within) : [];
    if (files.includes('dir.c9r'))
      all.push(...(await readAll(vault, root, await readFile(join(within, 'dir.c9r'), 'utf8'), `${path}${name}/`)));
    else all.push([path + name, await contentOf(vault, entry.isDirectory() ? join(within, 'contents.c9r') : within)]);
  }
  return all;
}

async function contentOf({ files }: CryptomatorVault, path: string, [start, end] = [0, Infinity]): Promise<string> {
  const bytes = await readFile(path);
  const source = async function* (from: number, length: number) {
    for (let at = from; at < from + length; at += 10_000) yield bytes.subarray(at, Math.min(at + 10_000, from + length));
  };
  const header = files.openHeader(bytes.subarray(0, files.headerSize));
  return Buffer.concat(await Array.fromAsync(files.read(source, { size: bytes.length, header, start, end }))).toString();
}

for (const combo of ['SIV_GCM', 'SIV_CTRMAC'] as const)
  test(`a vault written with OpenSSL's ciphers is read, with long names and ranges, and damage is detected (${combo})`, async () => {
    const root = await mkdtemp(join(tmpdir(), 'sheaf-cryptomator-'));
    try {
      await makeCryptomatorVault(root, { passphrase: 'pässword', combo, files: tree });
      const [masterkey, config] = await Promise.all(
        ['masterkey', 'vault'].map((name) => readFile(join(root, `${name}.cryptomator`), 'utf8')),
      );
      const open = (passphrase: string) => openCryptomator(masterkey ?? '', config ?? '', passphrase);
      assert.equal(await open('password'), undefined);
      const vault = await open('pa\u0308ssword');
      assert.ok(vault);
      const found = await readAll(vault, root);
      const expected = Object.entries(tree).map(([path, content]): [string, string] => [path, content.toString()]);
      assert.deepEqual(new Map(found), new Map(expected));

      const { files, names } = vault;
      assert.deepEqual(
        [0, 1, 32_768, 32_769, 100_000].map((size) => files.clearSize(sealedSize(combo, size))),
        [0, 1, 32_768, 32_769, 100_000],
      );
      assert.equal(files.clearSize(files.headerSize - 1), undefined);
      assert.equal(files.clearSize(files.headerSize + 5), undefined);
      const nonce = combo === 'SIV_GCM' ? 12 : 16;
      const tag = combo === 'SIV_GCM' ? 16 : 32;
      // An encrypted name is bound to its folder.
      const top = await readdir(join(root, names.folderPath('')));
      assert.equal(names.decrypt(top.find((name) => name.endsWith('.c9r')) ?? '', 'another folder'), undefined);
      const paths = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
      const sizes = await Promise.all(
        paths.map(async ({ parentPath, name }) => [join(parentPath, name), await readFile(join(parentPath, name))] as const),
      );
      const [path = '', bytes = Buffer.alloc(0)] = sizes.toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
      assert.equal(await contentOf(vault, path, [32_760, 65_540]), large.subarray(32_760, 65_540).toString());
      const readBytes = async (changed: Buffer): Promise<unknown> => {
        const header = files.openHeader(changed.subarray(0, files.headerSize));
        const source = async function* (from: number, length: number) {
          yield changed.subarray(from, from + length);
        };
        return Array.fromAsync(files.read(source, { size: bytes.length, header, start: 0, end: Infinity }));
      };
      const flipped = (at: number): Buffer => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 1;
        return changed;
      };
      const chunk = 32_768 + nonce + tag;
      for (const at of [0, chunk, chunk + nonce, 2 * chunk - 1, 3 * chunk, bytes.length - files.headerSize - 1])
        await assert.rejects(readBytes(flipped(files.headerSize + at)), { damage: 'block' }, String(at));
      const [first, second] = [0, 1].map((index) =>
        bytes.subarray(files.headerSize + index * chunk, files.headerSize + (index + 1) * chunk),
      );
      const exchanged = Buffer.concat([
        bytes.subarray(0, files.headerSize),
        second ?? '',
        first ?? '',
        bytes.subarray(files.headerSize + 2 * chunk),
      ] as Buffer[]);
      await assert.rejects(readBytes(exchanged), { damage: 'block', at: 0 });
      await assert.rejects(readBytes(bytes.subarray(0, files.headerSize + chunk)), { damage: 'cut', at: 32_768 });
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

function sealedSize(combo: 'SIV_GCM' | 'SIV_CTRMAC', size: number): number {
  const around = combo === 'SIV_GCM' ? 28 : 48;
  return around + 40 + size + Math.ceil(size / 32_768) * around;
}
