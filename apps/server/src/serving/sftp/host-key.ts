import { type KeyObject, generateKeyPairSync, randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { opensshEd25519 } from '@sheaf/connectors';
import { isMissingFile } from '#/platform/missing-file.ts';

const fileName = 'sftp-host-key';
const exists = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** The public host key, as a line of `known_hosts` has it after the host. */
export async function publicHostKeyIn(dataDir: string): Promise<string> {
  const { default: ssh2 } = await import('ssh2');
  const key = ssh2.utils.parseKey(await hostKeyIn(dataDir));
  if (key instanceof Error) throw key;
  return `${key.type} ${key.getPublicSSH().toString('base64')}`;
}

/**
 * The private host key in the data folder, made once. Clients refuse a server whose key has changed, so that it belongs into the backup.
 * `make` makes the key of a folder that has none.
 */
export async function hostKeyIn(dataDir: string, make = (): KeyObject => generateKeyPairSync('ed25519').privateKey): Promise<string> {
  const path = join(dataDir, fileName);
  try {
    const key = await readFile(path, 'utf8');
    if (!isShortened(key)) return key;
    // No SSH library reads it, so that no client knows it.
    await unlink(path);
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, opensshEd25519(make()), { mode: 0o600 });
  try {
    // Unlike a rename it never replaces the key of another process that has just started.
    await link(draft, path);
  } catch (error) {
    if (!exists(error)) throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(path, 'utf8');
}

/**
 * Whether the public part of the Ed25519 key lacks bytes: ssh2, which made the keys once, drops zeros at its beginning, in one key of 256.
 * https://github.com/mscdex/ssh2/issues/1513
 */
function isShortened(key: string): boolean {
  const type = Buffer.from('ssh-ed25519');
  const bytes = Buffer.from(key.replaceAll(/^-.*$/gm, ''), 'base64');
  const at = bytes.indexOf(type);
  return at >= 0 && bytes.length >= at + type.length + 4 && bytes.readUInt32BE(at + type.length) < 32;
}
