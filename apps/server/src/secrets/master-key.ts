import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissingFile } from '#/platform/missing-file.ts';

const keyBytes = 32;

interface Setting {
  readonly dataDir: string;
  /** The operator's key; without one, the data folder's key is used. */
  readonly secretKey: Buffer | undefined;
  readonly previousSecretKeys: readonly Buffer[];
}

/** Returns the key for sealing and all older keys: the operator's, and the data folder's if the operator has set one since. */
export async function masterKeys({ dataDir, secretKey, previousSecretKeys }: Setting): Promise<{ current: Buffer; previous: Buffer[] }> {
  if (!secretKey) return { current: await readOrMakeKey(dataDir), previous: [...previousSecretKeys] };
  const generated = await readKey(pathOf(dataDir));
  return { current: secretKey, previous: [...previousSecretKeys, ...(generated ? [generated] : [])] };
}

/** All keys that exist already; makes none. */
export async function presentKeys({ dataDir, secretKey, previousSecretKeys }: Setting): Promise<Buffer[]> {
  const generated = await readKey(pathOf(dataDir));
  return [...(secretKey ? [secretKey] : []), ...(generated ? [generated] : []), ...previousSecretKeys];
}

/** Writes the key of the data folder; false when the folder has another one. */
export async function placeKey(dataDir: string, key: Buffer): Promise<boolean> {
  await writeKey(dataDir, key);
  return (await readKey(pathOf(dataDir)))?.equals(key) ?? false;
}

const pathOf = (dataDir: string): string => join(dataDir, 'secret.key');

/**
 * Reads the key of the data folder; creates it (mode 0600) the first time. Of several processes that start at once one creates it. Throws when the
 * file holds no key.
 */
async function readOrMakeKey(dataDir: string): Promise<Buffer> {
  const path = pathOf(dataDir);
  const present = await readKey(path);
  if (present) return present;
  await writeKey(dataDir, randomBytes(keyBytes));
  const made = await readKey(path);
  if (!made) throw new Error(`${path} was removed while Sheaf was starting`);
  return made;
}

/** Leaves a key that exists already. */
async function writeKey(dataDir: string, key: Buffer): Promise<void> {
  const path = pathOf(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${key.toString('base64')}\n`, { mode: 0o600 });
  try {
    // Links the finished file, so that nobody reads half a key and the second process fails.
    await link(draft, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft);
  }
}

async function readKey(path: string): Promise<Buffer | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyBytes) throw new Error(`${path} does not hold a key of ${keyBytes} bytes in base64`);
  return key;
}

const isCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code;
