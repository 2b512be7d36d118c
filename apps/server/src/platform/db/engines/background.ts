import { setTimeout as sleep } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import { statementOf } from './aside.ts';
import { type WriteQueue, faultOf } from './sqlite-faults.ts';
import { createThread, workerFile } from './thread.ts';

/** Result of a statement: the rows it returned or changed. */
export interface Outcome {
  readonly rows: number;
  readonly changes: number;
}

/** Writes large amounts of reproducible data, such as rows of listings, without blocking others. A power cut may lose the last writes. */
export interface Background {
  /** Runs the statements in one transaction, which should take a few milliseconds: other writers wait for it. */
  write(queries: readonly CompiledQuery[]): Promise<readonly Outcome[]>;
  close(): Promise<void>;
}

/** Milliseconds between two checks for waiting writers. */
const pause = 1;

/** A thread with its own connection to the SQLite file, which yields to the writers in the queue. */
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

/** Postgres needs no thread: it writes in its own processes. */
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
