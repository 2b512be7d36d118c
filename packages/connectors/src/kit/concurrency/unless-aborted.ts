import { ConnectorError } from '../../core/error.ts';

/** Waits for what somebody else has begun and will end; rejects with `aborted` when the signal fires before. */
export function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<Result>();
  const onAbort = () => reject(new ConnectorError('aborted', 'given up'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  promise.then(resolve, reject);
  return outcome.finally(() => signal.removeEventListener('abort', onAbort));
}
