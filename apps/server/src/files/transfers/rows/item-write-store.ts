import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { OpenDatabase } from '#/platform/db/database.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { ItemRow } from './item-store.ts';

/** Milliseconds for which a change waits for others: SQLite waits for the disk at each commit, and holds up everybody meanwhile. */
const gather = 8;
/** Most changes of one transaction. */
const most = 64;

/** A change of an item in the name of a run. */
interface Change {
  readonly transferId: string;
  readonly seq: number;
  readonly run: number;
  readonly values: Partial<ItemRow>;
}

interface Waiting {
  readonly change: Change;
  readonly isWritten: PromiseWithResolvers<boolean>;
}

/** Returns false when another worker has the transfer. */
async function writeOne(db: Db, { transferId, seq, run, values }: Change): Promise<boolean> {
  const written = await db
    .updateTable('transferItem')
    .set(values)
    .where('transferId', '=', transferId)
    .where('seq', '=', seq)
    .where(sql<boolean>`exists (select 1 from transfer where id = ${transferId} and run = ${run})`)
    .returning('seq')
    .executeTakeFirst();
  return written !== undefined;
}

/**
 * Writes changes of running items. On SQLite those of files that are copied beside each other share a transaction; each change is on the disk when its
 * promise resolves.
 */
export function createItemWrites({ db, engine }: Pick<OpenDatabase, 'db' | 'engine'>): (change: Change) => Promise<boolean> {
  if (engine === 'postgres') return (change) => writeOne(db, change);
  let waiting: Waiting[] = [];
  let isFlushing = false;

  async function commit(batch: readonly Waiting[]): Promise<void> {
    try {
      const written = await db.transaction().execute(async (transaction) => {
        const results: boolean[] = [];
        for (const { change } of batch) results.push(await writeOne(transaction, change));
        return results;
      });
      for (const [at, { isWritten }] of batch.entries()) isWritten.resolve(written[at] === true);
    } catch (error) {
      for (const { isWritten } of batch) isWritten.reject(error);
    }
  }

  async function flush(): Promise<void> {
    isFlushing = true;
    for (await sleep(gather); waiting.length > 0; await sleep(gather)) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await commit(batch);
    }
    isFlushing = false;
  }

  return (change) => {
    const isWritten = Promise.withResolvers<boolean>();
    waiting.push({ change, isWritten });
    if (!isFlushing) void flush();
    return isWritten.promise;
  };
}
