import { readFile } from 'node:fs/promises';
import { childUri, listEncryption } from '@sheaf/contract';
import { type Vault, areWords, createVault, deriveKeys, provenOptions, tidyWords, unwrap } from '@sheaf/vault';
import type { Client } from '#/client.ts';
import { type Context, type Options, textOption } from '#/command.ts';
import { Failure } from '#/failure.ts';
import { namesOf } from '#/remote-paths.ts';

/** An open vault, and the clear names of a path within it. */
export interface Opened {
  readonly vault: Vault;
  readonly rootUri: string;
  readonly names: readonly string[];
}

/** Opens the vault at the start of a path. Asks for its passphrase or recovery words; neither leaves this program. */
export async function openPath(
  server: Client,
  path: string,
  { terminal, signal }: Pick<Context, 'terminal' | 'signal'>,
  options: Options,
): Promise<Opened> {
  const [name = '', ...names] = namesOf(path);
  const { folders } = await server.ask(listEncryption, {}, signal);
  const [found, another] = folders.filter((folder) => folder.name === name);
  if (!found) throw new Failure(`There is no vault ${name}. You have: ${folders.map((folder) => folder.name).join(', ') || 'none'}.`);
  if (another) throw new Failure(`Two vaults are called ${name}. Please rename one of them in the browser.`);
  const { wrapped, linkUri: rootUri } = found;
  if (wrapped === undefined) throw new Failure(`${name} has no passphrase. Please add its folder again in the browser.`);
  const file = textOption(options, 'passphrase-file');
  const secret = file === undefined ? await terminal.askSecret(`Passphrase or recovery words of ${name}: `) : await firstLineOf(file);
  const words = tidyWords(secret);
  const passwords = areWords(words) ? { password: words, password2: '' } : await unwrap(wrapped, secret);
  const keys = passwords && passwords.password !== '' ? await deriveKeys(passwords) : undefined;
  const nameOptions = keys && provenOptions(wrapped, keys);
  if (!keys || !nameOptions) throw new Failure(`This does not open ${name}.`);
  return { vault: createVault(keys, nameOptions), rootUri, names };
}

async function firstLineOf(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Failure(`${file} cannot be read.`, 'failed', error);
  });
  return text.split('\n', 1)[0]?.trim() ?? '';
}

/** Address of a folder by its clear names. */
export const folderUri = ({ vault, rootUri }: Opened, names: readonly string[]): string =>
  names.reduce((uri, name) => childUri(uri, vault.names.encryptFolder(name)), rootUri);
