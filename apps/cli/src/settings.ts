import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Failure, asDiskFull, isSystemError } from './failure.ts';
import { recordIn } from './json.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The stored sign-in. */
export interface Account {
  /** Scheme, host and port of the server. */
  readonly url: string;
  readonly token: string;
}

export interface Settings {
  /** Folder for data kept between runs. */
  readonly folder: string;
  /** The variables that this program was started with. */
  readonly env: Environment;
  /** The sign-in from the environment, else the stored one; throws Failure without one. */
  account(): Promise<Account>;
  /** Stores the sign-in, readable by this user only. */
  save(account: Account): Promise<void>;
  forget(): Promise<void>;
}

/** Reads the settings of this user: SHEAF_URL and SHEAF_TOKEN, or the sign-in stored in the settings folder (SHEAF_CLI_DIR). */
export function readSettings(env: Environment = process.env): Settings {
  const folder = env['SHEAF_CLI_DIR'] ?? join(env['APPDATA'] ?? env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'sheaf');
  const file = join(folder, 'account.json');
  const [url, token] = [env['SHEAF_URL'], env['SHEAF_TOKEN']];
  return {
    folder,
    env,
    async account() {
      if (url !== undefined && token !== undefined) return { url: serverUrl(url), token };
      return readAccount(file);
    },
    save: (account) => writePrivately(folder, file, `${JSON.stringify(account)}\n`),
    forget: () => rm(file, { force: true }),
  };
}

async function readAccount(file: string): Promise<Account> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) throw new Failure('Nobody is signed in. Sign in with: sheaf login ADDRESS', 'signedOut', error);
    throw new Failure(`${file} cannot be read.`, 'failed', error);
  });
  const account = parse(text);
  if (!account) throw new Failure(`${file} is damaged. Sign in again with: sheaf login ADDRESS`, 'signedOut');
  return account;
}

function parse(text: string): Account | undefined {
  const { url, token } = recordIn(text) ?? {};
  return typeof url === 'string' && typeof token === 'string' && URL.canParse(url) ? { url, token } : undefined;
}

/** Writes a file atomically, readable by this user only. */
export async function writePrivately(folder: string, file: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}.new`;
  try {
    await writeFile(beside, text, { mode: 0o600 });
    // An existing file would keep its own mode.
    await chmod(beside, 0o600);
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw asDiskFull(error, file);
  }
}

/** Returns scheme, host and port of a typed address; https by default. Throws Failure for an invalid address. */
export function serverUrl(typed: string): string {
  const address = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (!URL.canParse(address)) throw new Failure(`${typed} is not the address of a server.`, 'usage');
  return new URL(address).origin;
}
