import { setImmediate as turn } from 'node:timers/promises';
import type { Entry } from '@sheaf/connectors';
import { createThread, workerFile } from '#/platform/db/engines/thread.ts';
import { DatabaseFull, DatabaseUnavailable } from '#/platform/db/engines/unavailable.ts';
import { type RowKey, valuesOf } from './entry-rows.ts';

/** Incoming entries of a long listing: written to a temporary file as they arrive, and read back in the order of the store's rows. */
export interface Spool {
  /** Resolves when there is room for more. */
  put(entries: readonly Entry[]): Promise<void>;
  /** The next rows, after all have been put; of entries with one kind and name the last. Empty at the end. */
  next(limit: number): Promise<SortedRows>;
  close(): void;
}

/** Rows in the store's order. */
export interface SortedRows {
  /** A JSON array of the results of {@link valuesOf}. */
  readonly rows: string;
  readonly folders: number;
  readonly files: number;
  /** The key of the last row; undefined without rows. */
  readonly last: RowKey | undefined;
}

export type SpoolAnswer = SortedRows;
export type SpoolQuestion = { readonly spool: number } & (
  | { readonly ask: 'put'; readonly rows: string }
  | { readonly ask: 'next'; readonly limit: number }
  | { readonly ask: 'close' }
);

/** Entries encoded before others get their turn. */
const encodedAtOnce = 250;
/** SQLite's code for a full disk: https://sqlite.org/rescode.html#full */
const full = 13;

/** Opens spools on one thread, because sorting would block others. */
export function createSpools() {
  const open = new Set<number>();
  let ids = 0;
  const thread = createThread<SpoolQuestion, SpoolAnswer>({
    file: workerFile('spool-worker', import.meta.url),
    isNeeded: () => open.size > 0,
  });

  async function ask(question: SpoolQuestion): Promise<SpoolAnswer> {
    try {
      return await thread.ask(question);
    } catch (error) {
      throw error instanceof Error && 'errcode' in error && error.errcode === full
        ? new DatabaseFull(error)
        : new DatabaseUnavailable(error);
    }
  }

  return {
    open(): Spool {
      const spool = ++ids;
      open.add(spool);
      /** Data that the thread has not taken: one slice, while the next one is encoded. */
      let taken: Promise<unknown> = Promise.resolve();
      return {
        async put(entries) {
          for (let from = 0; from < entries.length; from += encodedAtOnce) {
            const rows = JSON.stringify(entries.slice(from, from + encodedAtOnce).map(valuesOf));
            await taken;
            taken = ask({ spool, ask: 'put', rows });
            taken.catch(() => undefined);
            if (entries.length > encodedAtOnce) await turn();
          }
        },
        async next(limit) {
          await taken;
          return ask({ spool, ask: 'next', limit });
        },
        close() {
          if (!open.delete(spool)) return;
          // Without a thread there is nothing to close.
          ask({ spool, ask: 'close' }).catch(() => undefined);
        },
      };
    },
    close: () => thread.close(),
  };
}

export type Spools = ReturnType<typeof createSpools>;
