import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseFull, DatabaseUnavailable } from './unavailable.ts';

/** Primary result codes, https://sqlite.org/rescode.html: the low byte of the extended ones. */
const [busy, locked, ioError, full] = [5, 6, 10, 13];
/** ms between two attempts while another program holds the lock. */
const pause = 20;
/** ms for all attempts. */
export const usualPatience = 5000;

const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;

/** Whether another program holds a lock that the statement needs. */
export function isLocked(error: unknown): boolean {
  const code = codeOf(error);
  return code === busy || code === locked;
}

/** What the rest of the program is told: the error itself unless SQLite says that it could not read or write its file. */
export function faultOf(error: unknown): unknown {
  if (isLocked(error)) return new DatabaseUnavailable(error);
  const code = codeOf(error);
  if (code === full) return new DatabaseFull(error);
  return code === ioError ? new DatabaseUnavailable(error) : error;
}

/** How many wait for a lock in this process. Who writes in the background lets them go first. */
export interface WriteQueue {
  waiting: number;
}

/**
 * Runs `work` again and again while another program holds the lock. SQLite's own waiting would hold up the whole process: between attempts everybody else has
 * their turn.
 */
export async function retryLocked<T>(work: () => T | Promise<T>, patience: number, queue: WriteQueue = { waiting: 0 }): Promise<T> {
  const until = performance.now() + patience;
  let isQueued = false;
  try {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isLocked(error) || performance.now() > until) throw faultOf(error);
      }
      if (!isQueued) queue.waiting++;
      isQueued = true;
      await sleep(pause);
    }
  } finally {
    if (isQueued) queue.waiting--;
  }
}
