import { lstat, rmdir, unlink } from 'node:fs/promises';
import { holdFolder } from './held-folder.ts';
import { isSystemError } from './refusal.ts';

/** Deletes a file, a link (never what it leads to), or a folder with all it holds; stops between two items when the signal fires. */
export async function removeTree(path: Buffer, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!(await lstat(path)).isDirectory()) return unlink(path);
  {
    await using folder = await holdFolder(path, { follow: false });
    for await (const name of folder.names()) await removeTree(folder.at(name), signal);
  }
  return rmdir(path);
}

/** Deletes what a failed work of the server's own has left, if it is there. */
export async function discardTree(path: Buffer): Promise<void> {
  try {
    await removeTree(path, new AbortController().signal);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
  }
}
