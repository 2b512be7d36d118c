import type { Entry } from '@sheaf/connectors';
import type { StoredFolder } from './rows/folder-rows.ts';
import type { ByteOrderSlice } from './rows/page-rows.ts';

/** Most entries of a folder whose order is cached, and of all such folders together: some 10 MB. */
const [mostOfFolder, entriesKept] = [20_000, 50_000];

interface Deps {
  inByteOrder(folder: StoredFolder, slice: ByteOrderSlice): Promise<Entry[]>;
}

interface Ordered {
  readonly entries: readonly Entry[];
  /** What the entries are ordered by. */
  readonly keys: readonly Buffer[];
}

const keyOf = ({ name, kind }: Entry): Buffer => Buffer.from(kind === 'folder' ? `${name}/` : name);

/**
 * Slices of stored folders in the order of their names' bytes. That order has no index, so each slice costs a look at all rows; programs ask for slice
 * after slice, so the order of a folder that takes several is kept. It belongs to a version of the folder and is never stale.
 */
export function createByteOrder({ inByteOrder }: Deps) {
  const folders = new Map<string, Promise<Ordered>>();
  const weights = new Map<string, number>();
  let kept = 0;

  function drop(key: string): void {
    folders.delete(key);
    kept -= weights.get(key) ?? 0;
    weights.delete(key);
  }

  function orderedOf(folder: StoredFolder, count: number): Promise<Ordered> {
    const key = `${folder.id}/${folder.version}`;
    const known = folders.get(key);
    if (known) {
      // Least recently used first.
      folders.delete(key);
      folders.set(key, known);
      return known;
    }
    const reading = inByteOrder(folder, { from: '', isAfter: false, limit: mostOfFolder }).then((entries) => ({
      entries,
      keys: entries.map(keyOf),
    }));
    reading.catch(() => drop(key));
    folders.set(key, reading);
    weights.set(key, count);
    kept += count;
    for (const oldest of folders.keys()) {
      if (kept <= entriesKept) break;
      drop(oldest);
    }
    return reading;
  }

  return async (folder: StoredFolder, slice: ByteOrderSlice): Promise<readonly Entry[]> => {
    const count = folder.folderCount + folder.fileCount;
    if (count <= slice.limit || count > mostOfFolder) return inByteOrder(folder, slice);
    const { entries, keys } = await orderedOf(folder, count);
    const first = firstFrom(keys, Buffer.from(slice.from), slice.isAfter);
    return entries.slice(first, first + slice.limit);
  };
}

/** Index of the first key that is `from` or comes after it. */
function firstFrom(keys: readonly Buffer[], from: Buffer, isAfter: boolean): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = keys[middle]?.compare(from) ?? 1;
    if (order < 0 || (isAfter && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
