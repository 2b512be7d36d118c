import type { ServerResponse } from 'node:http';

/** Resolves when the memory may be used again: the bytes have gone to the socket, or nobody wants them any more. */
export function written(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    response.off('close', done);
    resolve();
  };
  response.on('close', done);
  response.write(bytes, done);
  return promise;
}
