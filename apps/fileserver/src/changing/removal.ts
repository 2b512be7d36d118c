import { lstat, rmdir, unlink } from 'node:fs/promises';
import { holdFolder } from '../listing/held-folder.ts';
import { Refusal, isSystemError } from '../refusal.ts';

/** How often a folder that others fill meanwhile is emptied. */
const mostRounds = 3;

/**
 * Deletes a file, a link (never its target), or a folder with its content; stops between two items when the signal aborts. Ignores items that others
 * delete meanwhile; rejects with `forbidden` when they keep filling the folder.
 */
export async function removeTree(path: Buffer, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!(await lstat(path)).isDirectory()) return unlink(path);
  for (let round = 1; ; round += 1) {
    await empty(path, signal);
    try {
      return await rmdir(path);
    } catch (error) {
      if (!isSystemError(error, 'ENOTEMPTY', 'EEXIST')) throw error;
      if (round === mostRounds) throw new Refusal('forbidden', 'others are writing into the folder', { cause: error });
    }
  }
}

async function empty(path: Buffer, signal: AbortSignal): Promise<void> {
  await using folder = await holdFolder(path, { follow: false });
  for await (const name of folder.names()) await discardTree(folder.at(name), signal);
}

/** Deletes something that may not exist, such as remains of a failed operation. */
export async function discardTree(path: Buffer, signal = new AbortController().signal): Promise<void> {
  try {
    await removeTree(path, signal);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
  }
}
