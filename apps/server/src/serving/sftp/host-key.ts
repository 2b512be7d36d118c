import { randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** The private host key in the data folder, made once. Clients refuse a server whose key has changed, so that it belongs into the backup. */
export async function hostKeyIn(dataDir: string): Promise<string> {
  const path = join(dataDir, fileName);
  const read = (): Promise<string> => readFile(path, 'utf8');
  try {
    return await read();
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
  const { default: ssh2 } = await import('ssh2');
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, ssh2.utils.generateKeyPairSync('ed25519').private, { mode: 0o600 });
  try {
    // Unlike a rename it never replaces the key of another process that has just started.
    await link(draft, path);
  } catch (error) {
    if (!exists(error)) throw error;
  } finally {
    await unlink(draft);
  }
  return read();
}
