import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Engine } from './schema/engine.ts';

/** Runs a write of one or more statements with the given handle; what it gives is on the disk when the promise resolves. */
export type GroupedWrite = <T>(write: (db: Db) => Promise<T>) => Promise<T>;

/** Milliseconds between two commits. */
const gather = 5;
/** Most writes of one transaction. */
const most = 64;

interface Waiting {
  readonly run: (db: Db) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets small writes that come close to each other share a commit. SQLite waits for the disk at each commit, and holds up everybody meanwhile; the first write
 * after a pause does not wait for others. Writes must not depend on each other, and may run twice when one beside them fails. On Postgres, where connections
 * commit beside each other, each runs by itself.
 */
export function createGroupedWrite(db: Db, engine: Engine): GroupedWrite {
  if (engine === 'postgres') return (write) => write(db);
  let waiting: Waiting[] = [];
  let isFlushing = false;

  async function runAlone({ run, reject }: Waiting): Promise<void> {
    try {
      (await run(db))();
    } catch (error) {
      reject(error);
    }
  }

  async function runTogether(batch: readonly Waiting[]): Promise<void> {
    let settled: readonly (() => void)[];
    try {
      settled = await db.transaction().execute(async (transaction) => {
        const settles: (() => void)[] = [];
        for (const { run } of batch) settles.push(await run(transaction));
        return settles;
      });
    } catch {
      // Nothing of it was stored: each write learns its own fault.
      for (const one of batch) await runAlone(one);
      return;
    }
    for (const settle of settled) settle();
  }

  async function flush(): Promise<void> {
    isFlushing = true;
    for (await Promise.resolve(); waiting.length > 0; await sleep(gather)) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      const [only] = batch;
      await (batch.length === 1 && only ? runAlone(only) : runTogether(batch));
    }
    isFlushing = false;
  }

  return (write) => {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof write>>>();
    const run = async (handle: Db): Promise<() => void> => {
      const result = await write(handle);
      return () => resolve(result);
    };
    waiting.push({ run, reject });
    if (!isFlushing) void flush();
    return promise;
  };
}
