import { ConnectorError } from '../../core/error.ts';

const givenUp = (): unknown => new ConnectorError('aborted', 'given up');

/** Waits for work that another caller started; rejects with `reason` as soon as the signal fires. The work itself continues. */
export function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  reason: (signal: AbortSignal) => unknown = givenUp,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const onAbort = () => reject(reason(signal));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  work.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}

/** Returns the reason with which the signal's owner aborted it. */
export const reasonOf = (signal: AbortSignal): unknown => signal.reason;
