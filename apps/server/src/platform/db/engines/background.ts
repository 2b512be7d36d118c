import { setTimeout as sleep } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import { statementOf } from './aside.ts';
import { type WriteQueue, faultOf } from './sqlite-faults.ts';
import { createThread, workerFile } from './thread.ts';

/** What a statement did: rows that it gave, or rows that it changed. */
export interface Outcome {
  readonly rows: number;
  readonly changes: number;
}

/** Writes much that could be had again, such as the rows of listings, where it holds up nobody. A power cut may take what was written last. */
export interface Background {
  /** Runs the statements in one transaction, which is to be over within some milliseconds: others who write wait for it. */
  write(queries: readonly CompiledQuery[]): Promise<readonly Outcome[]>;
  close(): Promise<void>;
}

/** ms between two looks whether somebody waits to write. */
const pause = 1;

/** A thread with a connection of its own to the SQLite file, which lets those who wait in the queue go first. */
export function createSqliteBackground(file: string, queue: WriteQueue): Background {
  const thread = createThread<unknown, readonly Outcome[]>({ file: workerFile('background-worker', import.meta.url), data: file });
  return {
    async write(queries) {
      while (queue.waiting > 0) await sleep(pause);
      try {
        return await thread.ask(queries.map(statementOf));
      } catch (error) {
        throw faultOf(error);
      }
    },
    close: () => thread.close(),
  };
}

/** Postgres writes in processes of its own anyway. */
export const createPostgresBackground = (db: Db): Background => ({
  write: (queries) =>
    db.transaction().execute(async (transaction) => {
      const outcomes: Outcome[] = [];
      for (const query of queries) {
        const { rows, numAffectedRows } = await transaction.executeQuery(query);
        outcomes.push({ rows: rows.length, changes: Number(numAffectedRows ?? 0) });
      }
      return outcomes;
    }),
  close: () => Promise.resolve(),
});
