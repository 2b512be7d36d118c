import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError } from './refusal.ts';

/** The JSON that a user pastes into Sheaf to connect without a user name; `sheafGateway` is its version. */
export interface ConnectionJson {
  readonly sheafGateway: 1;
  readonly id: string;
  readonly secret: string;
}

interface StoredKey {
  readonly id: string;
  /** SHA-256 of the secret, in hex. The secret has 256 random bits, so a fast hash is enough. */
  readonly hash: string;
  /** ISO 8601. */
  readonly made: string;
}

/** The issued keys, in a file that only its owner can read. Changes to the file apply at once. */
export interface ConnectionKeys {
  /** Creates a key; its secret is not stored. */
  make(): Promise<ConnectionJson>;
  /** Whether the key existed. */
  revoke(id: string): Promise<boolean>;
  list(): Promise<readonly Pick<StoredKey, 'id' | 'made'>[]>;
  verify(id: string, secret: string): Promise<boolean>;
}

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Opens the file, which may be missing. Rejects when it contains anything else. */
export function openConnectionKeys(file: string): ConnectionKeys {
  let held: { readonly version: string; readonly keys: readonly StoredKey[] } | undefined;

  async function read(): Promise<readonly StoredKey[]> {
    try {
      const { mtimeMs, ctimeMs, ino } = await stat(file);
      const version = `${mtimeMs} ${ctimeMs} ${ino}`;
      if (held?.version !== version) held = { version, keys: parse(await readFile(file, 'utf8')) };
      return held.keys;
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return [];
      throw error;
    }
  }

  async function write(keys: readonly StoredKey[]): Promise<void> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const fresh = `${file}.${crypto.randomUUID()}`;
    {
      await using handle = await open(fresh, 'wx', 0o600);
      await handle.writeFile(`${JSON.stringify({ version: 1, keys }, undefined, 2)}\n`);
      await handle.sync();
    }
    await rename(fresh, file);
  }

  return {
    async make() {
      const [id, secret] = [randomBytes(9).toString('base64url'), randomBytes(32).toString('base64url')];
      await write([...(await read()), { id, hash: hashOf(secret).toString('hex'), made: new Date().toISOString() }]);
      return { sheafGateway: 1, id, secret };
    },
    async revoke(id) {
      const keys = await read();
      const left = keys.filter((key) => key.id !== id);
      if (left.length === keys.length) return false;
      await write(left);
      return true;
    },
    list: async () => (await read()).map(({ id, made }) => ({ id, made })),
    async verify(id, secret) {
      const key = (await read()).find((candidate) => candidate.id === id);
      // An unknown id takes as long as a wrong secret.
      const isRight = timingSafeEqual(hashOf(secret), key ? Buffer.from(key.hash, 'hex') : Buffer.alloc(32));
      return key !== undefined && isRight;
    },
  };
}

function parse(text: string): readonly StoredKey[] {
  const state: unknown = JSON.parse(text);
  const keys = typeof state === 'object' && state !== null && 'keys' in state ? state.keys : undefined;
  if (!Array.isArray(keys) || !keys.every(isKey)) throw new Error('the file of connection keys holds something else');
  return keys;
}

const isKey = (value: unknown): value is StoredKey =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'hash' in value &&
  typeof value.hash === 'string' &&
  /^[0-9a-f]{64}$/.test(value.hash) &&
  'made' in value &&
  typeof value.made === 'string';
