import { ConnectorError, isKind } from '../../../core/error.ts';
import { pause, retrying, waitAfter } from '../../../kit/concurrency/backoff.ts';
import { uploadWait } from '../../../kit/concurrency/retry-busy.ts';

const tries = { attempts: 5, first: 250, longest: uploadWait } as const;

/**
 * Waits before a retry: as long as the service asks, with exponential backoff; rejects with the failure after too many attempts or for too
 * long a wait. `attempt` counts the attempts so far.
 */
export async function pauseAfter(failure: unknown, attempt: number, signal: AbortSignal): Promise<void> {
  const wait = waitAfter(attempt, tries, failure instanceof ConnectorError ? failure.retryAfter : undefined);
  if (attempt >= tries.attempts || wait > tries.longest) throw failure;
  await pause(wait, signal);
}

/** Retries when the service is too busy to start: callers do not retry writes, because only this layer still has the bytes. */
export const retryWhileBusy = <Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> =>
  retrying(signal, { ...tries, mayRetry: (error) => isKind(error, 'rateLimited') }, call);
