import { type Connector, type Entry, binOf, nameOf, parentOf } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';
import { entryAt, isRow } from '#/files/items/entry-at.ts';
import type { JournalRow } from './store.ts';

type Restored = Pick<JournalRow, 'path' | 'binId' | 'isFolder' | 'size' | 'state'>;

/**
 * Moves an item out of the bin to its path. Accepts one that is there already, because the deletion was never made or an interrupted call has brought it
 * back. Rejects with NAME_TAKEN, BIN_ITEM_GONE and BIN_FIRST.
 */
export async function bringBack(connector: Connector, row: Restored, signal: AbortSignal): Promise<Entry> {
  const bin = binOf(connector);
  const { path, binId } = row;
  const name = nameOf(path);
  if (!bin || binId === null) throw appError('BIN_ITEM_GONE', { name });
  try {
    return await bin.restore(binId, path, { signal });
  } catch (error) {
    if (!isRow(error, 'ITEM_NOT_FOUND', 'NAME_TAKEN')) throw error;
    if (await isInBin(() => bin.binned(binId, { signal }))) {
      if (!isRow(error, 'ITEM_NOT_FOUND') || parentOf(path) === '/') throw error;
      if (!(await entryAt(connector, parentOf(path), signal))) throw appError('BIN_FIRST', { name }, error);
      // The same undo has brought its folder back in the meantime.
      return bin.restore(binId, path, { signal });
    }
    const there = await entryAt(connector, path, signal);
    if (there && isSame(row, there)) return there;
    throw appError('BIN_ITEM_GONE', { name }, error);
  }
}

async function isInBin(look: () => Promise<unknown>): Promise<boolean> {
  try {
    await look();
    return true;
  } catch (error) {
    if (isRow(error, 'ITEM_NOT_FOUND')) return false;
    throw error;
  }
}

/** Whether an entry may be the item of the row: of one kind, and of one size where both are known. */
export const isSame = ({ isFolder, size }: Pick<JournalRow, 'isFolder' | 'size'>, { kind, size: now }: Entry): boolean =>
  (kind === 'folder') === (isFolder === 1) && (kind === 'folder' || size === null || now === undefined || Number(size) === now);

/** Whether the item is as the change left it. The content of a folder may change: it goes along. */
export function isUnchanged(row: JournalRow, entry: Entry): boolean {
  if (!isSame(row, entry)) return false;
  if (entry.kind === 'folder') return true;
  const { etag, modified } = row;
  if (etag !== null && entry.etag !== undefined && !entry.etag.startsWith('W/')) return etag === entry.etag;
  return modified === null || entry.modified === undefined || Number(modified) === Math.trunc(entry.modified);
}
