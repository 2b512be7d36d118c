import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseFull, DatabaseUnavailable } from './unavailable.ts';

/** Primary result codes, https://sqlite.org/rescode.html: the low byte of the extended ones. */
const [busy, locked, ioError, full] = [5, 6, 10, 13];
/** Milliseconds between two attempts while another program holds the lock. */
const pause = 20;
/** Milliseconds for all attempts. */
export const defaultTimeout = 5000;

const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;

/** Whether another program holds a lock that the statement needs. */
export function isLocked(error: unknown): boolean {
  const code = codeOf(error);
  return code === busy || code === locked;
}

/** Maps SQLite's I/O errors to DatabaseUnavailable and DatabaseFull; returns any other error unchanged. */
export function faultOf(error: unknown): unknown {
  if (isLocked(error)) return new DatabaseUnavailable(error);
  const code = codeOf(error);
  if (code === full) return new DatabaseFull(error);
  return code === ioError ? new DatabaseUnavailable(error) : error;
}

/** How many writers in this process wait for a lock. Background writers yield to them. */
export interface WriteQueue {
  waiting: number;
}

/** Repeats `work` while another program holds the lock. SQLite's own waiting would block the whole process; here others run between the attempts. */
export async function retryLocked<T>(work: () => T | Promise<T>, timeout: number, queue: WriteQueue = { waiting: 0 }): Promise<T> {
  const until = performance.now() + timeout;
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
