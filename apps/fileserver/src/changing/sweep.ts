import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { holdFolder } from '../listing/held-folder.ts';
import { isSystemError } from '../refusal.ts';
import { isPartial } from '../wire-path.ts';
import { discardTree } from './removal.ts';

/** Deletes partial files and folders last changed before `before` (epoch ms), left by an earlier run. Returns their number. */
export async function sweepPartials(path: Buffer, before: number, signal: AbortSignal): Promise<number> {
  let swept = 0;
  await using folder = await holdFolder(path, { follow: false });
  for await (const name of folder.names()) {
    if (signal.aborted) break;
    const item = folder.at(name);
    const stats = await unlessGone(lstat(item));
    if (stats && isPartial(name) && stats.mtimeMs < before) {
      await discardTree(item);
      swept += 1;
    } else if (stats?.isDirectory()) swept += (await unlessGone(sweepPartials(item, before, signal))) ?? 0;
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
