import assert from 'node:assert/strict';
import { type KeyObject, generateKeyPairSync } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tempDir } from '@sheaf/testbed';
import ssh2 from 'ssh2';
import { hostKeyIn, publicHostKeyIn } from './host-key.ts';

async function dataFolder(t: TestContext): Promise<string> {
  const { path, remove } = await tempDir('host-key');
  t.after(remove);
  return path;
}

const publicBytes = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');

/** A key whose public part begins with a zero, as one key of 256 does. */
function keyWithZero(): KeyObject {
  for (;;) {
    const { privateKey } = generateKeyPairSync('ed25519');
    if (publicBytes(privateKey)[0] === 0) return privateKey;
  }
}

/** What ssh2 makes when the public part begins with a zero: a key that neither it nor OpenSSH can read. */
function shortenedKey(): string {
  for (;;) {
    const { private: key } = ssh2.utils.generateKeyPairSync('ed25519');
    if (ssh2.utils.parseKey(key) instanceof Error) return key;
  }
}

test('a host key whose public part begins with a zero can be read', async (t) => {
  const folder = await dataFolder(t);
  const key = keyWithZero();
  await hostKeyIn(folder, () => key);
  const [type, blob = ''] = (await publicHostKeyIn(folder)).split(' ');
  assert.equal(type, 'ssh-ed25519');
  assert.deepEqual(Buffer.from(blob, 'base64').subarray(-32), publicBytes(key));
});

test('a host key stays as it is, also one that cannot be read', async (t) => {
  const folder = await dataFolder(t);
  const made = await hostKeyIn(folder);
  assert.equal(await hostKeyIn(folder), made);
  assert.deepEqual(await readdir(folder), ['sftp-host-key']);
  const path = join(folder, 'sftp-host-key');
  await writeFile(path, made.slice(0, 150));
  await assert.rejects(publicHostKeyIn(folder));
  assert.equal(await readFile(path, 'utf8'), made.slice(0, 150));
});

test('a host key that was made without its first byte is replaced', async (t) => {
  const folder = await dataFolder(t);
  await writeFile(join(folder, 'sftp-host-key'), shortenedKey());
  const line = await publicHostKeyIn(folder);
  assert.match(line, /^ssh-ed25519 /);
  assert.equal(await publicHostKeyIn(folder), line);
});
