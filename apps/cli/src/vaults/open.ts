import { childUri, listEncryption } from '@sheaf/contract';
import { type Vault, areWords, createVault, deriveKeys, provenOptions, tidyWords, unwrap } from '@sheaf/vault';
import type { Client } from '#/client.ts';
import type { Context } from '#/command.ts';
import { Failure } from '#/failure.ts';
import { namesOf } from '#/remote-paths.ts';

/** An open vault and the clear names below it that a path gave. */
export interface Opened {
  readonly vault: Vault;
  readonly rootUri: string;
  readonly names: readonly string[];
}

/** Opens the vault that a path begins with. Asks for its passphrase or recovery words; neither leaves this program. */
export async function openPath(server: Client, path: string, { terminal, signal }: Pick<Context, 'terminal' | 'signal'>): Promise<Opened> {
  const [name = '', ...names] = namesOf(path);
  const { folders } = await server.ask(listEncryption, {}, signal);
  const [found, another] = folders.filter((folder) => folder.name === name);
  if (!found) throw new Failure(`There is no vault ${name}. You have: ${folders.map((folder) => folder.name).join(', ') || 'none'}.`);
  if (another) throw new Failure(`Two vaults are called ${name}. Please rename one of them in the browser.`);
  const { wrapped, linkUri: rootUri } = found;
  if (wrapped === undefined) throw new Failure(`${name} has no passphrase. Please add its folder again in the browser.`);
  const secret = await terminal.askSecret(`Passphrase or recovery words of ${name}: `);
  const words = tidyWords(secret);
  const passwords = areWords(words) ? { password: words, password2: '' } : await unwrap(wrapped, secret);
  const keys = passwords && passwords.password !== '' ? await deriveKeys(passwords) : undefined;
  const options = keys && provenOptions(wrapped, keys);
  if (!keys || !options) throw new Failure(`This does not open ${name}.`);
  return { vault: createVault(keys, options), rootUri, names };
}

/** Address of a folder by its clear names. */
export const folderUri = ({ vault, rootUri }: Opened, names: readonly string[]): string =>
  names.reduce((uri, name) => childUri(uri, vault.names.encryptFolder(name)), rootUri);
