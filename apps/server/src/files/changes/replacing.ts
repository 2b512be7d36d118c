import { randomBytes } from 'node:crypto';
import { type Entry, type KeepOptions, versionsOf } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';
import { isRow } from '#/files/items/entry-at.ts';
import type { OpenItem } from '#/files/items/open-item.ts';
import { type BinOfItem, type Intent, factsOf, isUnclear } from './facts.ts';
import type { ChangeStore, JournalRow } from './store.ts';

interface Deps {
  readonly store: ChangeStore;
  readonly newRow: (item: OpenItem, intent: Intent) => JournalRow;
  readonly binOf: (item: OpenItem) => Promise<BinOfItem | undefined>;
}

/** A write that may replace a file. */
interface Replacement {
  readonly undoId?: string | undefined;
  /** Of the file, as the user of the opened link sees it. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/** What a write has made; with `undoId` it has replaced a file that can be brought back. */
export interface Replaced<T> {
  readonly result: T;
  readonly undoId?: string;
}

/** The options by which the hidden bin takes what is replaced; absent where it cannot be kept there. */
type Keep = { readonly keep?: KeepOptions };

/** Where an item goes in a hidden bin: the folder of the day (UTC), and a name that cannot be guessed. */
export const placeInBin = (): { day: string; key: string } => ({
  day: new Date().toISOString().slice(0, 10),
  key: randomBytes(6).toString('hex'),
});

/** Notes what a write replaces, so that it can be brought back: a version that the source keeps, or the old file in the hidden bin. */
export function createReplacing({ store, newRow, binOf }: Deps) {
  /** The version that the source keeps of the file; undefined where there is no file, or none is kept. */
  async function versionAt(item: OpenItem, { path, signal }: Replacement): Promise<string | undefined> {
    try {
      return await versionsOf(item.connector)?.versionOf(path, { signal });
    } catch (error) {
      if (isRow(error, 'ITEM_NOT_FOUND', 'IS_A_FOLDER')) return undefined;
      throw error;
    }
  }

  async function overVersion<T>(
    item: OpenItem,
    { undoId, path }: Replacement,
    version: string,
    write: (kept: Keep) => Promise<{ entry: Entry; result: T }>,
  ): Promise<Replaced<T>> {
    const row = { ...newRow(item, { kind: 'replace', undoId, path, entry: undefined }), bin: 'version' as const, binId: version };
    await store.add(row);
    try {
      const { entry, result } = await write({});
      await store.change(row, { state: 'done', ...factsOf(entry) });
      return { result, undoId: row.undoId };
    } catch (error) {
      if (error instanceof AppError && !isUnclear(error)) await store.remove(row);
      throw error;
    }
  }

  async function intoBin<T>(
    item: OpenItem,
    { undoId, path }: Replacement,
    into: BinOfItem,
    write: (kept: Keep) => Promise<{ entry: Entry; result: T }>,
  ): Promise<Replaced<T>> {
    let noted: JournalRow | undefined;
    const keep: KeepOptions = {
      ...placeInBin(),
      async before(binId, old) {
        const row = newRow(item, { kind: 'replace', undoId, path, entry: undefined, into });
        const added = { ...row, binId, binSize: old.size ?? null };
        await store.add(added);
        noted = added;
      },
      async dropped() {
        if (noted) await store.remove(noted);
        noted = undefined;
      },
    };
    // A failure leaves the row as it is: `dropped` has removed it where the old file has its name again.
    const { entry, result } = await write({ keep });
    if (!noted) return { result };
    await store.change(noted, { state: 'done', ...factsOf(entry) });
    return { result, undoId: noted.undoId };
  }

  /** Runs a write that may replace the file at the path. `into` is the bin to use; by default the one of the link. */
  return async function replacing<T>(
    item: OpenItem,
    ask: Replacement,
    write: (kept: Keep) => Promise<{ entry: Entry; result: T }>,
    into?: BinOfItem,
  ): Promise<Replaced<T>> {
    const version = await versionAt(item, ask);
    if (version !== undefined) return overVersion(item, ask, version, write);
    const bin = into ?? (await binOf(item));
    if (bin?.bin.bin === 'hidden') return intoBin(item, ask, bin, write);
    return { result: (await write({})).result };
  };
}
