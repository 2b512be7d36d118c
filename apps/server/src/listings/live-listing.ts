import { type Connector, type Entry, partialPrefix } from '@sheaf/connectors';
import { createFingerprint } from './fingerprint.ts';
import { type Slice, type View, selectEntries } from './view.ts';

/** A folder that is being read from its source, or has been and is not stored yet. */
export interface LiveListing {
  /** Epoch milliseconds. */
  readonly begunAt: number;
  /** What has arrived, by name. */
  readonly entries: Map<string, Entry>;
  /** Settles when the first entries, the end, or a failure has arrived; never rejects. */
  readonly begun: Promise<void>;
  /** Resolves at the end of the listing with its fingerprint; rejects with what the connector rejects with. */
  readonly complete: Promise<string>;
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
  const entries = new Map<string, Entry>();
  const noted = new Map<string, Entry | undefined>();
  const begun = Promise.withResolvers<void>();
  let isComplete = false;
  let ordered: { readonly view: string; readonly entries: readonly Entry[] } | undefined;

  const read = async (): Promise<string> => {
    const fingerprint = createFingerprint();
    for await (const batch of connector.list(path, { signal: controller.signal })) {
      for (const entry of batch) {
        if (!isShown(entry.name)) continue;
        fingerprint.add(entry);
        if (!noted.has(entry.name)) entries.set(entry.name, entry);
      }
      if (entries.size > 0) begun.resolve();
      if (!isWanted()) controller.abort();
    }
    isComplete = true;
    return fingerprint.text();
  };
  const complete = read().finally(begun.resolve);

  return {
    begunAt,
    entries,
    begun: begun.promise,
    complete,
    isComplete: () => isComplete,
    select(view, { offset, limit }) {
      const name = `${view.sort}/${view.order}/${view.filter}`;
      if (ordered?.view !== name) {
        if (!isComplete || offset + limit <= firstOfMany) return selectEntries(entries.values(), view, { offset, limit });
        const all = selectEntries(entries.values(), view, { offset: 0, limit: Number.POSITIVE_INFINITY });
        ordered = { view: name, entries: all.entries };
      }
      return { entries: ordered.entries.slice(offset, offset + limit), total: ordered.entries.length };
    },
    note(name, entry) {
      ordered = undefined;
      noted.set(name, entry);
      if (entry) entries.set(name, entry);
      else entries.delete(name);
    },
    stop: () => controller.abort(),
    isStopped: () => controller.signal.aborted,
  };
}

/** Whether a name is one that can be shown and addressed: sources are not believed. */
const isShown = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('\0') && !name.startsWith(partialPrefix);
