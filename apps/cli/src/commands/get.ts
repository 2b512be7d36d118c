import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Item } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { type Command, type Context, exactly } from '#/command.ts';
import { withRetries } from '#/copying/retries.ts';
import { ConnectionLost, Failure, LocalDiskFull, asDiskFull, isSystemError, messageOf } from '#/failure.ts';
import { localName, printable } from '#/names.ts';
import { find, listFolder } from '#/remote-paths.ts';

export const get: Command = {
  usage: '[-r] [--replace] PATH [LOCAL]',
  about: 'Downloads a file, or with -r a folder; into the current folder unless LOCAL says otherwise. LOCAL "-" is standard output.',
  options: { recursive: { type: 'boolean', short: 'r' }, replace: { type: 'boolean' } },
  async run({ client, terminal, signal }, args, options) {
    const [path, local] = args.length === 1 ? ([...exactly(args, 'PATH'), '.'] as const) : exactly(args, 'PATH', 'LOCAL');
    const server = await client();
    const item = await find(server, path, signal);
    if (local === '-') {
      await toOutput(server, item, signal);
      return;
    }
    const target = (await isFolder(local)) ? join(local, localName(item.name)) : local;
    const replace = options['replace'] === true;
    if (item.fileType === 'FILE') await getFile(server, item, target, replace, signal);
    else if (options['recursive'] === true) await getFolder(server, item, target, { replace, terminal }, signal);
    else throw new Failure(`${path} is a folder; -r downloads it with all it holds.`, 'usage');
  },
};

async function toOutput(client: Client, item: Item, signal: AbortSignal): Promise<void> {
  if (item.fileType === 'FOLDER') throw new Failure('A folder cannot be written to standard output.', 'usage');
  const { stream } = await client.download(item.linkUri, signal);
  await pipeline(stream, process.stdout, { signal, end: false });
}

async function getFolder(
  client: Client,
  folder: Item,
  target: string,
  { replace, terminal }: { replace: boolean } & Pick<Context, 'terminal'>,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(target, { recursive: true });
  let failed = 0;
  for await (const item of listFolder(client, folder.linkUri, signal)) {
    try {
      const path = join(target, localName(item.name));
      if (item.fileType === 'FOLDER') await getFolder(client, item, path, { replace, terminal }, signal);
      else await getFile(client, item, path, replace, signal);
    } catch (error) {
      if (signal.aborted || endsAll(error)) throw error;
      failed++;
      terminal.tell(printable(messageOf(error)));
    }
  }
  if (failed > 0) throw new Failure(`${failed} of the items in ${target} could not be downloaded.`, 'incomplete');
}

/** Whether other items would fail too. An error of the operating system, such as a name that is too long, concerns one item. */
const endsAll = (error: unknown): boolean =>
  error instanceof Failure
    ? error.exit === 'signedOut' || error instanceof LocalDiskFull
    : !isSystemError(error) || isSystemError(error, 'ENOSPC', 'EDQUOT', 'EROFS');

/** Downloads a file; it gets its name when it is complete. */
const getFile = (client: Client, item: Item, target: string, replace: boolean, signal: AbortSignal): Promise<void> =>
  saveAs(target, replace, async (beside) => {
    await withRetries(async () => {
      const { stream, size } = await client.download(item.linkUri, signal);
      const file = createWriteStream(beside);
      await pipeline(stream, file, { signal }).catch((error: unknown) => {
        if (signal.aborted || isOfFile(error)) throw error;
        throw new ConnectionLost(`${item.name} broke off in the middle.`, 'failed', error);
      });
      if (size !== undefined && file.bytesWritten !== size) throw new ConnectionLost(`${item.name} broke off in the middle.`);
    }, signal);
    if (item.modified !== undefined) await utimes(beside, item.modified, item.modified);
  });

/** Lets `write` fill a temporary file that takes the target's name when it is complete. */
export async function saveAs(target: string, replace: boolean, write: (beside: string) => Promise<void>): Promise<void> {
  if (!replace && (await exists(target))) throw new Failure(`${target} is there already; --replace downloads over it.`);
  // Not derived from the target's name, which may already have the maximum length.
  const beside = join(dirname(target), `.sheaf-${randomBytes(8).toString('hex')}.part`);
  try {
    await write(beside);
    if (replace) await rename(beside, target);
    else await takePlace(beside, target);
  } catch (error) {
    throw asDiskFull(error, target);
  } finally {
    await rm(beside, { force: true });
  }
}

/** Whether the local file could not be created or written; a retry would not help. */
const isOfFile = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && (error.syscall === 'open' || error.syscall === 'write');

/** Renames the file unless the name was taken meanwhile. On a file system without hard links this is not checked. */
async function takePlace(beside: string, target: string): Promise<void> {
  try {
    await link(beside, target);
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) throw new Failure(`${target} is there already; --replace downloads over it.`, 'failed', error);
    await rename(beside, target);
  }
}

export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
}
