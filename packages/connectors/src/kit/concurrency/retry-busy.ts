import { ConnectorError, isKind } from '../../core/error.ts';
import { pause, retrying, waitAfter } from './backoff.ts';

/**
 * Attempts of a request whose body is in memory, and the wait in ms before the second one, doubled each time. A longer Retry-After ends the
 * retries.
 */
const tries = { attempts: 4, first: 250, longest: 10_000 } as const;

/** Longest Retry-After in ms during an upload: giving up there loses all bytes sent so far. */
export const uploadWait = 120_000;

/**
 * Retries a request that the service was too busy to begin. For requests that the retry layer must not repeat because their body came from
 * a stream. `also` selects other transient failures, such as a lost response, that are safe to retry because the work may be done twice.
 * `longest` is the longest accepted Retry-After in ms. A silent service is not retried, because each answer may take a minute; during an
 * upload it is retried once.
 */
export async function retryWhileBusy<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
  also: (error: ConnectorError) => boolean = () => false,
  longest: number = tries.longest,
): Promise<Result> {
  const mostSilences = longest > tries.longest ? 2 : 1;
  let silences = 0;
  const mayRetry = (error: ConnectorError): boolean => {
    if (isKind(error, 'timeout')) silences += 1;
    return silences < mostSilences && ((error.retryable && also(error)) || isKind(error, 'rateLimited'));
  };
  return retrying(signal, { ...tries, longest, mayRetry }, work);
}

/**
 * Runs a follow-up to a change, such as reading it back. Retries while the service is busy; the final error is not retryable, so that the
 * change is not repeated.
 */
export async function afterChange<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  try {
    return await retryWhileBusy(signal, work, isOutcomeUnknown);
  } catch (error) {
    if (!isKind(error, 'rateLimited')) throw error;
    throw new ConnectorError('interrupted', 'the change was made, and the service is too busy to tell of it', { cause: error });
  }
}

/** Waits before another attempt, at least as long as the service asks; returns false when that is too long. */
export async function pauseBeforeRetry(
  attempt: number,
  { retryAfter }: ConnectorError,
  signal: AbortSignal,
  longest: number = tries.longest,
): Promise<boolean> {
  const wait = waitAfter(attempt, tries, retryAfter);
  if (wait > longest) return false;
  await pause(wait, signal);
  return true;
}

/** Whether the service may have performed the request although its response was lost. */
export const isOutcomeUnknown = (error: unknown): boolean => isKind(error, 'aborted', 'interrupted', 'timeout', 'unreachable');
