import { setImmediate as turn } from 'node:timers/promises';
import { type Connector, type Entry, bytesOf, partialPrefix } from '@sheaf/connectors';
import { createFingerprint } from './fingerprint.ts';
import type { Spool } from './rows/spool.ts';
import { type Row, type Slice, type View, rowOf, selectRows } from './rows/view.ts';

/** A folder that is being read from its source, or has been and is not stored yet. */
export interface LiveListing {
  /** Epoch milliseconds. */
  readonly begunAt: number;
  /** How many entries have arrived. */
  size(): number;
  /** What has arrived, by name; of a listing that is spooled only its beginning. */
  entries(): Promise<Map<string, Entry>>;
  /** Where the rows of a listing lie that is too long for memory. */
  spool(): Spool | undefined;
  /** Settles when the first entries, the end, or a failure has arrived; never rejects. */
  readonly begun: Promise<void>;
  /** Resolves once more entries have arrived than a window shows; of a smaller folder never. */
  readonly many: Promise<void>;
  /** Resolves at the end of the listing; rejects with what the connector rejects with. */
  readonly complete: Promise<void>;
  /** What the source has given, summed up, once the listing is complete. */
  fingerprint(): Promise<string>;
  /** A slice of a view of what has arrived, and how many the view has once everything has. */
  select(view: View, slice: Slice): { readonly entries: readonly Entry[]; readonly total?: number };
  /** Shows a change that Sheaf made since the listing began; it may or may not know of it. */
  note(name: string, entry: Entry | undefined): void;
  /** Stops the source; `complete` rejects. */
  stop(): void;
  isStopped(): boolean;
  /** Whether all has arrived. */
  isComplete(): boolean;
}

/** Nobody sees more rows than this at once. */
const windowful = 500;
const everything: Slice = { offset: 0, limit: Number.POSITIVE_INFINITY };
/** No more rows of a folder than these, which arrive first, are kept in memory to be shown; of a larger one the rest comes from the store. */
export const mostShown = 20_000;
/** Entries that are summed up at a time; the others have their turn then. */
const summedAtOnce = 5000;

interface Options {
  readonly connector: Pick<Connector, 'list'>;
  readonly path: string;
  readonly begunAt: number;
  /** Asked between batches: false stops the source. */
  readonly isWanted: () => boolean;
  /** Asked for the memory of each batch before it is kept; throws when there is no more. */
  readonly take: (bytes: number) => void;
  /** Makes the place for the rows of a listing too long for memory. */
  readonly openSpool: () => Spool;
}

/** Begins to read a folder. Unfinished uploads and names that no path can hold are left out. */
export function beginListing({ connector, path, begunAt, isWanted, take, openSpool }: Options): LiveListing {
  const controller = new AbortController();
  const given: Row[] = [];
  const noted = new Map<string, Row | undefined>();
  const begun = Promise.withResolvers<void>();
  const many = Promise.withResolvers<void>();
  const summary = createFingerprint();
  let arrived = 0;
  let spool: Spool | undefined;
  let isComplete = false;
  let ordered: { readonly view: string; readonly entries: readonly Entry[] } | undefined;

  const read = async (): Promise<void> => {
    for await (const batch of connector.list(path, { signal: controller.signal })) {
      let bytes = 0;
      for (const entry of batch) bytes += bytesOf(entry);
      take(bytes);
      const entries = batch.filter(({ name }) => isShown(name));
      arrived += entries.length;
      if (spool) await putDown(spool, entries);
      else for (const entry of entries) given.push(rowOf(entry));
      if (!spool && given.length > mostShown) {
        spool = openSpool();
        await putDown(
          spool,
          given.map(({ entry }) => entry),
        );
      }
      if (given.length > 0) begun.resolve();
      if (given.length > windowful) many.resolve();
      if (!isWanted()) controller.abort();
    }
    isComplete = true;
  };
  const complete = read().finally(begun.resolve);

  function putDown(into: Spool, entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) summary.add(entry);
    return into.put(entries);
  }

  /** What has arrived, with what Sheaf has changed since. */
  const current = (): readonly Row[] => {
    if (noted.size === 0) return given;
    const put = [...noted.values()].filter((row) => row !== undefined);
    return [...given.filter(({ entry }) => !noted.has(entry.name)), ...put];
  };

  return {
    begunAt,
    size: () => (spool ? arrived : current().length),
    spool: () => spool,
    async entries() {
      const byName = new Map<string, Entry>();
      for (const [index, { entry }] of current().entries()) {
        byName.set(entry.name, entry);
        if (index % summedAtOnce === summedAtOnce - 1) await turn();
      }
      return byName;
    },
    begun: begun.promise,
    many: many.promise,
    complete,
    async fingerprint() {
      if (spool) return summary.text();
      const fingerprint = createFingerprint();
      for (const [index, { entry }] of given.entries()) {
        fingerprint.add(entry);
        if (index % summedAtOnce === summedAtOnce - 1) await turn();
      }
      return fingerprint.text();
    },
    select(view, { offset, limit }) {
      if (!isComplete || spool) return { entries: selectRows(current(), view, { offset, limit }) };
      const name = `${view.sort}/${view.order}/${view.filter}`;
      if (ordered?.view !== name) ordered = { view: name, entries: selectRows(current(), view, everything) };
      return { entries: ordered.entries.slice(offset, offset + limit), total: ordered.entries.length };
    },
    note(name, entry) {
      ordered = undefined;
      noted.set(name, entry && rowOf(entry));
    },
    stop: () => controller.abort(),
    isStopped: () => controller.signal.aborted,
    isComplete: () => isComplete,
  };
}

/** Whether a name is one that can be shown and addressed: sources are not believed. */
const isShown = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('\0') && !name.startsWith(partialPrefix);
