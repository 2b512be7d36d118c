import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { uploadWait } from '../../../kit/concurrency/patience.ts';

/** Tries in all. */
const mostTries = 5;
/** ms before the second try; doubles. */
const firstWait = 250;

/** Waits; rejects with `aborted` when the signal fires before. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (cause) {
    throw new ConnectorError('aborted', 'given up while waiting', { cause });
  }
}

/** Waits before another try as long as the service asks, and longer from try to try; rejects with the failure once that is too often or too long. `tries` counts those made. */
export async function pauseAfter(failure: unknown, tries: number, signal: AbortSignal): Promise<void> {
  const asked = failure instanceof ConnectorError ? (failure.retryAfter ?? 0) : 0;
  const wait = Math.max(firstWait * 2 ** (tries - 1), asked);
  if (tries >= mostTries || wait > uploadWait) throw failure;
  await pause(wait, signal);
}

/** Asks again when the service says that it is too busy to begin: nobody above does for writes, whose bytes are gone there and still here. */
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
