import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { uploadWait } from '../../../kit/concurrency/patience.ts';

/** Maximum attempts. */
const mostTries = 5;
/** ms before the first retry; doubles. */
const firstWait = 250;

/** Waits; rejects with `aborted` when the signal fires first. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (cause) {
    throw new ConnectorError('aborted', 'given up while waiting', { cause });
  }
}

/**
 * Waits before a retry: as long as the service asks, with exponential backoff; rejects with the failure after too many attempts or for too long a
 * wait. `tries` counts the attempts so far.
 */
export async function pauseAfter(failure: unknown, tries: number, signal: AbortSignal): Promise<void> {
  const asked = failure instanceof ConnectorError ? (failure.retryAfter ?? 0) : 0;
  const wait = Math.max(firstWait * 2 ** (tries - 1), asked);
  if (tries >= mostTries || wait > uploadWait) throw failure;
  await pause(wait, signal);
}

/** Retries when the service is too busy to start: callers do not retry writes, because only this layer still has the bytes. */
export async function patiently<Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (!isKind(error, 'rateLimited')) throw error;
      await pauseAfter(error, tries, signal);
    }
  }
}
