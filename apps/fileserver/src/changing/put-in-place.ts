import { constants } from 'node:fs';
import { lstat, link, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises';
import type { Place } from '../listing/exported.ts';
import { Refusal, isSystemError } from '../refusal.ts';

const taken = (cause?: unknown) => new Refusal('alreadyExists', 'the name is taken', { cause });

/** Whether the name is taken, including by a dangling link. */
export async function isTaken({ path }: Place): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Gives the file at `from` the place's name, which must be free; of two concurrent callers one fails. */
export async function placeFile(from: Buffer, to: Place): Promise<void> {
  try {
    await link(from, to.path);
  } catch (error) {
    // For disks without hard links, and for files of other users under protected_hardlinks, proc_sys_fs(5).
    if (!isSystemError(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')) throw error;
    await reserve(to);
    await rename(from, to.path);
    return;
  }
  await unlink(from);
}

/** Claims a free name with an empty file, for a rename over it. */
async function reserve({ path }: Place): Promise<void> {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL);
  await handle.close();
}

/** Claims a folder's name with an empty folder, which rename(2) replaces only while it is empty. */
export async function placeFolder(from: Buffer, to: Place): Promise<void> {
  await mkdir(to.path);
  try {
    await rename(from, to.path);
  } catch (error) {
    await removeIfEmpty(to.path);
    if (isSystemError(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) throw taken(error);
    if (isSystemError(error, 'EINVAL')) throw new Refusal('forbidden', 'a folder cannot go into itself', { cause: error });
    throw error;
  }
}

async function removeIfEmpty(folder: Buffer): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!isSystemError(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR')) throw error;
  }
}
