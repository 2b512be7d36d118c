import { setTimeout as wait } from 'node:timers/promises';
import { ConnectionLost, Refusal } from '#/failure.ts';

/** Milliseconds between the attempts for one file. */
const pauses = [500, 2000, 8000];

/** Transient codes: the source cannot be reached, is slow or busy, or the connection was cut. */
const passing: ReadonlySet<string> = new Set([
  'CANNOT_CONNECT',
  'SOURCE_TIMEOUT',
  'SOURCE_BUSY',
  'LINK_BUSY',
  'LINK_UPLOADING',
  'TRANSFER_CUT',
  'CONTENT_DAMAGED',
]);
const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionLost || (error instanceof Refusal && (passing.has(error.messageCode) || error.status === 429));

/** Retries transient failures with backoff. */
export async function withRetries<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const pause of pauses) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error;
    }
    await wait(pause, undefined, { signal });
  }
  return work();
}
