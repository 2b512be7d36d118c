import { setImmediate as turn } from 'node:timers/promises';
import { type Connector, type Entry, partialPrefix } from '@sheaf/connectors';
import { createFingerprint } from './fingerprint.ts';
import { type Row, type Slice, type View, rowOf, selectRows } from './view.ts';

/** A folder that is being read from its source, or has been and is not stored yet. */
export interface LiveListing {
  /** Epoch milliseconds. */
  readonly begunAt: number;
  /** How many entries have arrived. */
  size(): number;
  /** What has arrived, by name. */
  entries(): Map<string, Entry>;
  /** Settles when the first entries, the end, or a failure has arrived; never rejects. */
  readonly begun: Promise<void>;
  /** Resolves once more entries have arrived than a window shows; of a smaller folder never. */
  readonly many: Promise<void>;
  /** Resolves at the end of the listing; rejects with what the connector rejects with. */
  readonly complete: Promise<void>;
  /** What the source has given, summed up, once the listing is complete. */
  fingerprint(): Promise<string>;
  /** Whether everything has arrived. */
  isComplete(): boolean;
  /** A slice of a view of what has arrived, and how many the view has. */
  select(view: View, slice: Slice): { entries: readonly Entry[]; total: number };
  /** Shows a change that Sheaf made since the listing began; it may or may not know of it. */
  note(name: string, entry: Entry | undefined): void;
  /** Stops the source; `complete` rejects. */
  stop(): void;
  isStopped(): boolean;
}

/** A first page of more rows than this is the first of many: the whole view is put in order for them. */
const firstOfMany = 100;
/** Nobody sees more rows than this at once. */
const windowful = 500;
/** Entries that are summed up at a time; the others have their turn then. */
const summedAtOnce = 5000;

interface Options {
  readonly connector: Pick<Connector, 'list'>;
  readonly path: string;
  readonly begunAt: number;
  /** Asked between batches: false stops the source. */
  readonly isWanted: () => boolean;
}

/** Begins to read a folder. Unfinished uploads and names that no path can hold are left out. */
export function beginListing({ connector, path, begunAt, isWanted }: Options): LiveListing {
  const controller = new AbortController();
  const rows = new Map<string, Row>();
  const noted = new Set<string>();
  const given: Entry[] = [];
  const begun = Promise.withResolvers<void>();
  const many = Promise.withResolvers<void>();
  let isComplete = false;
  let ordered: { readonly view: string; readonly entries: readonly Entry[] } | undefined;

  const read = async (): Promise<void> => {
    for await (const batch of connector.list(path, { signal: controller.signal })) {
      for (const entry of batch) {
        if (!isShown(entry.name)) continue;
        given.push(entry);
        if (!noted.has(entry.name)) rows.set(entry.name, rowOf(entry));
      }
      if (rows.size > 0) begun.resolve();
      if (rows.size > windowful) many.resolve();
      if (!isWanted()) controller.abort();
    }
    isComplete = true;
  };
  const complete = read().finally(begun.resolve);

  return {
    begunAt,
    size: () => rows.size,
    entries: () => new Map([...rows].map(([name, { entry }]) => [name, entry])),
    begun: begun.promise,
    many: many.promise,
    complete,
    async fingerprint() {
      const fingerprint = createFingerprint();
      for (const [index, entry] of given.entries()) {
        fingerprint.add(entry);
        if (index % summedAtOnce === summedAtOnce - 1) await turn();
      }
      return fingerprint.text();
    },
    isComplete: () => isComplete,
    select(view, { offset, limit }) {
      const name = `${view.sort}/${view.order}/${view.filter}`;
      if (ordered?.view !== name) {
        if (!isComplete || offset + limit <= firstOfMany) return selectRows(rows.values(), view, { offset, limit });
        const all = selectRows(rows.values(), view, { offset: 0, limit: Number.POSITIVE_INFINITY });
        ordered = { view: name, entries: all.entries };
      }
      return { entries: ordered.entries.slice(offset, offset + limit), total: ordered.entries.length };
    },
    note(name, entry) {
      ordered = undefined;
      noted.add(name);
      if (entry) rows.set(name, rowOf(entry));
      else rows.delete(name);
    },
    stop: () => controller.abort(),
    isStopped: () => controller.signal.aborted,
  };
}

/** Whether a name is one that can be shown and addressed: sources are not believed. */
const isShown = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('\0') && !name.startsWith(partialPrefix);
