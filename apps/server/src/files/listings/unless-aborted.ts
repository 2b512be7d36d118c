/** Returns the result of `work`, or rejects with the signal's reason as soon as it aborts; the work itself goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const give = () => reject(signal.reason);
  if (signal.aborted) give();
  signal.addEventListener('abort', give, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  return promise;
}
