import { type Entry, binOf, nameOf, parentOf, versionsOf } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';
import { entryAt, isRow } from '#/files/items/entry-at.ts';
import { type OpenItem, cannotChange } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import { bringBack, isUnchanged } from './bringing-back.ts';
import type { Journal } from './journal.ts';
import type { ChangeStore, JournalRow } from './store.ts';

interface Deps {
  readonly store: ChangeStore;
  readonly journal: Pick<Journal, 'replacing' | 'binOf'>;
  readonly listings: Listings;
}

/** Days for which a bin keeps what an undo puts there, where its owner has turned it off since. */
const leastDays = 1;

export type Swapping = ReturnType<typeof createSwapping>;

/** Brings replaced files back. What has their names goes where they were, so that this can be undone too. */
export function createSwapping({ store, journal, listings }: Deps) {
  async function fromBin(
    item: OpenItem,
    row: JournalRow,
    undoId: string,
    signal: AbortSignal,
  ): Promise<{ entry: Entry; swapped: boolean }> {
    const { connector } = item;
    const { path } = row;
    const current = await entryAt(connector, path, signal);
    // The replacement was interrupted, or the new file was deleted or moved since.
    const back = async (): Promise<Entry> => bringBack(connector, { ...row, size: row.binSize }, signal);
    if (!current) return { entry: await back(), swapped: false };
    if (!isUnchanged(row, current)) throw appError('CHANGED_SINCE', { name: nameOf(path) });
    const bin = binOf(connector);
    if (bin?.bin !== 'hidden' || row.binId === null) throw appError('BIN_ITEM_GONE', { name: nameOf(path) });
    await inBin(bin.binned(row.binId, { signal }), path);
    const into = (await journal.binOf(item)) ?? { bin, days: leastDays };
    const { result, undoId: made } = await journal.replacing(
      item,
      { undoId, path, signal },
      async ({ keep }) => {
        if (!keep) throw appError('BIN_ITEM_GONE', { name: nameOf(path) });
        const { day, key, before, dropped } = keep;
        const away = await bin.discard(path, { day, key, before: (binId) => before(binId, current), signal });
        try {
          const entry = await back();
          return { entry, result: entry };
        } catch (error) {
          await bin.restore(away, path, { signal });
          await dropped();
          throw error;
        }
      },
      into,
    );
    return { entry: result, swapped: made !== undefined };
  }

  async function fromVersion(
    item: OpenItem,
    row: JournalRow,
    undoId: string,
    signal: AbortSignal,
  ): Promise<{ entry: Entry; swapped: boolean }> {
    const { connector } = item;
    const { path, binId } = row;
    const versions = versionsOf(connector);
    const current = await entryAt(connector, path, signal);
    if (!current || !isUnchanged(row, current)) throw appError('CHANGED_SINCE', { name: nameOf(path) });
    if (!versions || binId === null) throw appError('BIN_ITEM_GONE', { name: nameOf(path) });
    const { result, undoId: made } = await journal.replacing(item, { undoId, path, signal }, async () => {
      const entry = await inBin(versions.restoreVersion(path, binId, { signal }), path);
      return { entry, result: entry };
    });
    return { entry: result, swapped: made !== undefined };
  }

  return {
    /**
     * Brings back what the row says was replaced; `undoId` then undoes that. Returns whether it does. Rejects with CHANGED_SINCE when the file that has the name
     * is not the one that replaced it, and with BIN_ITEM_GONE when what was replaced is gone.
     */
    async swapBack(item: OpenItem, row: JournalRow, undoId: string, signal: AbortSignal): Promise<boolean> {
      if (!item.connector.write) throw cannotChange(item);
      const { entry, swapped } = await (row.bin === 'version' ? fromVersion : fromBin)(item, row, undoId, signal);
      await listings.note(item.userLinkId, parentOf(row.path), { put: entry });
      await store.change(row, { state: 'undone' });
      return swapped;
    },
  };
}

/** What the bin or the source has kept is gone where it says that there is no such item. */
async function inBin<T>(asked: Promise<T>, path: string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw isRow(error, 'ITEM_NOT_FOUND') ? appError('BIN_ITEM_GONE', { name: nameOf(path) }, error) : error;
  }
}
