import { AsyncLocalStorage } from 'node:async_hooks';

/** Bytes that one request of an upload has sent so far. */
export interface Sending {
  add(bytes: number): void;
  /** Takes them back: the request has failed, and another one will send them again. */
  undo(): void;
}

const meters = new AsyncLocalStorage<() => Sending>();
const unmeasured: Sending = { add: () => undefined, undo: () => undefined };

/**
 * Runs an upload and calls `onTaken` with the number of its bytes that the storage has taken: what the system has sent, or the server has acknowledged where
 * the protocol says so. Bytes in the system's own send buffer, some hundred KiB to a few MiB, count as taken. The number can fall, when a request is repeated.
 */
export function measured<T>(onTaken: (bytes: number) => void, upload: () => T): T {
  let total = 0;
  const count = (bytes: number): void => {
    total += bytes;
    onTaken(total);
  };
  return meters.run(() => {
    let sent = 0;
    return {
      add(bytes) {
        sent += bytes;
        count(bytes);
      },
      undo() {
        if (sent > 0) count(-sent);
        sent = 0;
      },
    };
  }, upload);
}

/** Starts a request that sends bytes of the upload it is called in; counts nothing outside of {@link measured}. */
export const startSending = (): Sending => meters.getStore()?.() ?? unmeasured;
