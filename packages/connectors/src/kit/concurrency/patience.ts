import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectorError, isKind } from '../../core/error.ts';

/** Tries of a request whose body is in memory, and ms before the second; they double. A service that asks for more than the longest is not asked again. */
const tries = { most: 4, pause: 250, longest: 10_000 } as const;

/** The longest wait, in ms, that a service may ask for in the midst of an upload: giving up there costs all the bytes that it has already. */
export const uploadWait = 120_000;

/**
 * Asks again when the service said that it was too busy to begin: for requests that the retry layer may not repeat, because their body came from a stream.
 * `also` tells of the other failures that pass whether doing the work twice is right after them, such as an answer that was lost. `longest` is the longest wait, in
 * ms, that the service may ask for. A silent service is not asked again, since each answer may take a minute; in the midst of an upload it is asked once more.
 */
export async function patiently<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
  also: (error: ConnectorError) => boolean = () => false,
  longest: number = tries.longest,
): Promise<Result> {
  const mostSilences = longest > tries.longest ? 2 : 1;
  let silences = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (isKind(error, 'timeout')) silences += 1;
      if (silences >= mostSilences) throw error;
      const mayAgain = isKind(error, 'rateLimited') || (error instanceof ConnectorError && error.retryable && also(error));
      if (!mayAgain || attempt >= tries.most || !(await pausedFor(attempt, error, signal, longest))) throw error;
    }
  }
}

/**
 * What follows a change that was made, such as looking at it: asked patiently, and a service that stays busy is told in a way that does not let the change be made again.
 */
export async function afterwards<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  try {
    return await patiently(signal, work, isUnclear);
  } catch (error) {
    if (!isKind(error, 'rateLimited')) throw error;
    throw new ConnectorError('interrupted', 'the change was made, and the service is too busy to tell of it', { cause: error });
  }
}

/** Waits before another try, at least as long as the service asks; false when that is too long. */
export async function pausedFor(
  attempt: number,
  { retryAfter = 0 }: ConnectorError,
  signal: AbortSignal,
  longest: number = tries.longest,
): Promise<boolean> {
  const pause = Math.max(tries.pause * 2 ** (attempt - 1), retryAfter);
  if (pause > longest) return false;
  try {
    await sleep(pause, undefined, { signal });
    return true;
  } catch (error) {
    throw new ConnectorError('aborted', 'given up between two tries', { cause: error });
  }
}

/** Whether the service may have done what it was asked, although no answer says so. */
export const isUnclear = (error: unknown): boolean => isKind(error, 'aborted', 'interrupted', 'timeout', 'unreachable');
