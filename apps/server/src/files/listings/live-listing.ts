import { setImmediate as turn } from 'node:timers/promises';
import { type Connector, type Entry, bytesOf, isTemporary } from '@sheaf/connectors';
import { createFingerprint } from './fingerprint.ts';
import type { Spool } from './rows/spool.ts';
import { type Row, type Slice, type View, rowOf, selectRows } from './rows/view.ts';

/** A folder that is being read from its source, or was read and is not stored yet. */
export interface LiveListing {
  /** Epoch milliseconds. */
  readonly begunAt: number;
  /** Number of entries received. */
  size(): number;
  /** Received entries by name; only the first ones of a spooled listing. */
  entries(): Promise<Map<string, Entry>>;
  /** Spool of a listing that is too long for memory. */
  spool(): Spool | undefined;
  /** Settles when the first entries, the end, or a failure has arrived; never rejects. */
  readonly begun: Promise<void>;
  /** Resolves once more entries have arrived than a page shows; never for a smaller folder. */
  readonly many: Promise<void>;
  /** Resolves at the end of the listing; rejects with the connector's error. */
  readonly complete: Promise<void>;
  /** Fingerprint of the complete listing. */
  fingerprint(): Promise<string>;
  /** A slice of a view of the received entries, and the view's total once everything has arrived. */
  select(view: View, slice: Slice): { readonly entries: readonly Entry[]; readonly total?: number };
  /** Applies a change by Sheaf since the listing began; the source's listing may or may not include it. */
  note(name: string, entry: Entry | undefined): void;
  /** Stops the source; `complete` rejects. */
  stop(): void;
  isStopped(): boolean;
  /** Whether all entries have arrived. */
  isComplete(): boolean;
}

/** Most rows shown at once. */
const windowful = 500;
const everything: Slice = { offset: 0, limit: Number.POSITIVE_INFINITY };
/** Most rows kept in memory for display, the first to arrive; the rest of a larger folder comes from the store. */
export const mostShown = 20_000;
/** Entries fingerprinted before others get their turn. */
const summedAtOnce = 2000;
/** Entries spooled before others get their turn. */
const putAtOnce = 250;
/** Milliseconds of reading before others get their turn: a fast source has its next batch ready at once, again and again. */
const longestTurn = 5;

interface Options {
  readonly connector: Pick<Connector, 'list'>;
  readonly path: string;
  readonly begunAt: number;
  /** Checked between batches: false stops the source. */
  readonly isWanted: () => boolean;
  /** Requests memory for each batch; throws when there is no more. */
  readonly take: (bytes: number) => void;
  /** Creates the spool for a listing that is too long for memory. */
  readonly openSpool: () => Spool;
}

/** Starts to read a folder. Omits unfinished uploads and names that no path can contain. */
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
    let turnedAt = performance.now();
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
      if (performance.now() - turnedAt < longestTurn) continue;
      await turn();
      turnedAt = performance.now();
    }
    isComplete = true;
  };
  const complete = read().finally(begun.resolve);

  async function putDown(into: Spool, entries: readonly Entry[]): Promise<void> {
    for (let from = 0; from < entries.length; from += putAtOnce) {
      const some = entries.slice(from, from + putAtOnce);
      for (const entry of some) summary.add(entry);
      await into.put(some);
      await turn();
    }
  }

  /** Received entries with Sheaf's own changes applied. */
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

/** Whether a name can be shown and addressed: sources are not trusted. */
const isShown = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('\0') && !isTemporary(name);
