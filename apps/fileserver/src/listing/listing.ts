import { type Stats, lstat } from 'node:fs';
import { isSystemError } from '../refusal.ts';
import { type Segments, isPartial } from '../wire-path.ts';
import { type WireEntry, toEntry } from './entry.ts';
import type { Exported } from './exported.ts';
import type { HeldFolder } from './held-folder.ts';

/** Concurrent lookups. */
const width = 256;

/** The folder's entries, in batches in the disk's order. Rejects with `notFound` or `notAFolder` before the first. */
export async function* listFolder(exported: Exported, path: Segments): AsyncGenerator<readonly WireEntry[]> {
  await using folder = await exported.hold(path);
  let names: Buffer[] = [];
  for await (const name of folder.names()) {
    if (!isPartial(name)) names.push(name);
    if (names.length < width) continue;
    yield await describe(exported, folder, names);
    names = [];
  }
  if (names.length > 0) yield await describe(exported, folder, names);
}

async function describe(exported: Exported, folder: HeldFolder, names: readonly Buffer[]): Promise<readonly WireEntry[]> {
  const found = await look(folder, names);
  const entries: WireEntry[] = [];
  for (const [index, name] of names.entries()) {
    const stats = found[index];
    const entry = stats?.isSymbolicLink() ? await exported.entryIn(folder, name) : stats && toEntry(name, stats);
    if (entry) entries.push(entry);
  }
  return entries;
}

/** Looks up many items with callbacks, at half the cost of promises. Omits items that were just deleted. */
function look(folder: HeldFolder, names: readonly Buffer[]): Promise<readonly (Stats | undefined)[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly (Stats | undefined)[]>();
  const found: (Stats | undefined)[] = [];
  let failure: Error | undefined;
  let left = names.length;
  for (const [index, name] of names.entries())
    lstat(folder.at(name), (error, stats) => {
      if (!error) found[index] = stats;
      else if (!isSystemError(error, 'ENOENT')) failure = error;
      left -= 1;
      if (left > 0) return;
      if (failure) reject(failure);
      else resolve(found);
    });
  return promise;
}
