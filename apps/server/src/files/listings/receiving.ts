import type { Entry } from '@sheaf/connectors';
import { createFingerprint } from './fingerprint.ts';
import { sliceSize } from './rows/replace-rows.ts';
import type { Spool, Spools } from './rows/spool.ts';
import type { ListingStore } from './rows/store.ts';
import type { Storing } from './storing.ts';

interface Deps {
  readonly store: Pick<ListingStore, 'openFolder' | 'findFolder'>;
  readonly spools: Pick<Spools, 'open'>;
  readonly keep: Storing;
  readonly newVersion: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** A folder whose entries arrive within the listing of a whole tree. Call `finish` or `drop` at the end. */
export interface Receiving {
  /** Takes entries; resolves when there is room for more. No name comes twice. */
  put(entries: readonly Entry[]): Promise<void>;
  /** Stores the folder: all of it has arrived. */
  finish(): Promise<void>;
  drop(): void;
}

/** Receives folders from listings of whole trees, a few entries in memory and more in a spool. A listing that breaks off leaves what was stored before. */
export function createReceiving({ store, spools, keep, newVersion, now }: Deps) {
  /** The folder; its tree began to arrive at `begunAt`, epoch milliseconds. Rejects when the link no longer exists. */
  return async (linkId: string, path: string, begunAt: number): Promise<Receiving> => {
    // The row exists from now on, so that changes by Sheaf are noted in it meanwhile.
    const folder = await store.openFolder(linkId, path, true);
    const entries = new Map<string, Entry>();
    const summary = createFingerprint();
    let spool: Spool | undefined;
    return {
      async put(batch) {
        for (const entry of batch) summary.add(entry);
        if (!spool) {
          for (const entry of batch) entries.set(entry.name, entry);
          if (entries.size <= sliceSize) return;
          spool = spools.open();
          await spool.put([...entries.values()]);
          entries.clear();
        } else await spool.put(batch);
      },
      async finish() {
        try {
          // A newer listing has been stored meanwhile, after which changes by Sheaf that this one lacks are no longer noted.
          if (((await store.findFolder(linkId, path))?.listedAt ?? 0) > begunAt) return;
          const facts = { fingerprint: summary.text(), version: newVersion(), begunAt, listedAt: now() };
          await keep(folder, { linkId, path, facts, entries: async () => entries, spool: () => spool });
        } finally {
          spool?.close();
        }
      },
      drop: () => spool?.close(),
    };
  };
}
