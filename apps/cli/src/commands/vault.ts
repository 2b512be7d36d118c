import { createWriteStream } from 'node:fs';
import { stat, utimes } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Manifest, type Vault, clearSize, isDamage, judgeFile, toBase64 } from '@sheaf/vault';
import { type Command, type Context, type Options, exactly } from '#/command.ts';
import { Failure } from '#/failure.ts';
import { localName, printable } from '#/names.ts';
import { type ClearItem, openFile, pour, readFolder } from '#/vaults/contents.ts';
import { openPath } from '#/vaults/open.ts';
import { putSealed } from '#/vaults/seal.ts';
import { isFolder, saveAs } from './get.ts';

export const vault: Command = {
  usage: '[--passphrase-file FILE] ls PATH | get [--replace] [--anyway] PATH [LOCAL] | put [--replace] LOCAL FOLDER',
  about:
    'Lists, downloads and uploads in a vault, which is decrypted on this computer. PATH begins with the name of the vault. Asks for the passphrase or the recovery words, or reads them from the first line of FILE or of standard input.',
  options: { replace: { type: 'boolean' }, anyway: { type: 'boolean' }, 'passphrase-file': { type: 'string' } },
  async run(context, [what = '', ...args], options) {
    if (what === 'ls') return list(context, options, ...exactly(args, 'PATH'));
    if (what === 'get' && args.length === 1) return get(context, options, ...exactly(args, 'PATH'), '.');
    if (what === 'get') return get(context, options, ...exactly(args, 'PATH', 'LOCAL'));
    if (what === 'put') return put(context, options, ...exactly(args, 'LOCAL', 'FOLDER'));
    throw new Failure('This takes ls, get or put.', 'usage');
  },
};

async function list(context: Context, options: Options, path: string): Promise<void> {
  const server = await context.client();
  const opened = await openPath(server, path, context, options);
  const { items } = await readFolder(server, opened, opened.names, context.signal);
  for (const { name, isFolder: isInner } of items) context.terminal.print(printable(name) + (isInner ? '/' : ''));
}

async function get(context: Context, options: Options, path: string, local: string): Promise<void> {
  const { signal } = context;
  const server = await context.client();
  const opened = await openPath(server, path, context, options);
  const folder = await readFolder(server, opened, opened.names.slice(0, -1), signal);
  const found = folder.items.find(({ name }) => name === opened.names.at(-1));
  if (!found) throw new Failure(`${path} is not in the vault.`);
  if (found.isFolder) throw new Failure(`${path} is a folder; files are downloaded one by one.`, 'usage');
  const file = await openFile(server, opened.vault, found.item, signal).catch(told(found));
  try {
    judge(folder.manifest, found, toBase64(file.nonce), options['anyway'] === true, context);
    if (local === '-') return await pour(file.read(), process.stdout, false, signal).catch(told(found));
    const target = (await isFolder(local)) ? join(local, localName(found.name)) : local;
    await saveAs(target, options['replace'] === true, async (beside) => {
      await pour(file.read(), createWriteStream(beside), true, signal).catch(told(found));
      const { modified } = found.item;
      if (modified !== undefined) await utimes(beside, modified, modified);
    });
  } finally {
    file.end();
  }
}

/** Refuses a cut or swapped file unless the user insists; reports a file that is not proven. */
function judge(manifest: Manifest, { name, item }: ClearItem, nonce: string, isWanted: boolean, { terminal }: Context): void {
  const verdict = judgeFile(manifest, name, nonce, item.size === undefined ? undefined : clearSize(item.size));
  const shown = printable(name);
  if (verdict.kind === 'proven') return;
  const text =
    verdict.kind === 'cut'
      ? `The end of ${shown} is missing: it had ${verdict.recorded} bytes.`
      : verdict.kind === 'swapped'
        ? `${shown} has the content that was stored as ${printable(verdict.as)}.`
        : undefined;
  if (text === undefined)
    terminal.tell(`${shown} is not proven to be whole: ${verdict.kind === 'changed' ? 'another content' : 'nothing'} is recorded of it.`);
  else if (isWanted) terminal.tell(text);
  else throw new Failure(`${text} --anyway downloads it all the same.`);
}

const damages = {
  foreign: 'was not written by the vault',
  block: 'is damaged: a part of it is not what the vault wrote',
  cut: 'is damaged: its end is missing',
  locked: 'cannot be read any more',
  replaced: 'was replaced while it was read',
} as const;

const told =
  ({ name }: ClearItem) =>
  (error: unknown): never => {
    if (isDamage(error)) throw new Failure(`${printable(name)} ${damages[error.damage]}.`, 'failed', error);
    throw error;
  };

async function put(context: Context, options: Options, local: string, path: string): Promise<void> {
  const { signal } = context;
  const facts = await stat(local).catch((error: unknown) => {
    throw new Failure(`${local} cannot be read.`, 'failed', error);
  });
  if (!facts.isFile()) throw new Failure(`${local} is not a file.`, 'usage');
  const server = await context.client();
  const opened = await openPath(server, path, context, options);
  const folder = await readFolder(server, opened, opened.names, signal);
  const conflict = options['replace'] === true ? 'replace' : 'fail';
  await putSealed(server, opened.vault, local, { folder, name: nameIn(opened.vault, local), conflict }, signal);
}

/** Encrypts a name. Throws Failure for a name that would not decrypt to itself. */
function nameIn({ names }: Vault, local: string): string {
  const name = basename(resolve(local));
  if (names.decryptFile(names.encryptFile(name)) !== name) throw new Failure(`${name} cannot be a name in a vault.`);
  return name;
}
