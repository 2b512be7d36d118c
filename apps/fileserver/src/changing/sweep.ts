import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { holdFolder } from '../listing/held-folder.ts';
import { isSystemError } from '../refusal.ts';
import { isPartial, isResumable } from '../wire-path.ts';
import { discardTree } from './removal.ts';

/** ms for which a resumable upload is kept after its last part. */
export const uploadLife = 7 * 24 * 3_600_000;

interface Ages {
  /** Uploads of one request last changed before this, in epoch ms, are deleted. */
  readonly broken: number;
  /** Resumable uploads last changed before this, in epoch ms, are deleted. */
  readonly expired: number;
}

/** Deletes what uploads, copies and moves have left that are over. Returns the number of files and folders. */
export async function sweepPartials(path: Buffer, ages: Ages, signal: AbortSignal): Promise<number> {
  let swept = 0;
  await using folder = await holdFolder(path, { follow: false });
  for await (const name of folder.names()) {
    if (signal.aborted) break;
    const item = folder.at(name);
    const stats = await unlessGone(lstat(item));
    if (stats && isPartial(name) && stats.mtimeMs < (isResumable(name) ? ages.expired : ages.broken)) {
      await discardTree(item);
      swept += 1;
    } else if (stats?.isDirectory()) swept += (await unlessGone(sweepPartials(item, ages, signal))) ?? 0;
  }
  return swept;
}

/** A missing or unreadable folder contains nothing of this server. */
async function unlessGone<Found extends Stats | number>(look: Promise<Found>): Promise<Found | undefined> {
  try {
    return await look;
  } catch (error) {
    if (isSystemError(error, 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined;
    throw error;
  }
}
