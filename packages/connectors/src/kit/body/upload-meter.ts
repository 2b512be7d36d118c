import { AsyncLocalStorage } from 'node:async_hooks';

/** Bytes that one request of an upload has sent so far. */
export interface Sending {
  add(bytes: number): void;
  /** Subtracts them again: the request has failed, and another one will resend the bytes. */
  undo(): void;
}

interface Meter {
  start(): Sending;
  setTo(bytes: number): void;
}

const meters = new AsyncLocalStorage<Meter>();
const unmeasured: Sending = { add: () => undefined, undo: () => undefined };

/**
 * Runs an upload and calls `onTaken` with the number of bytes that have left the process: what the operating system has accepted, or what
 * the server has acknowledged where the protocol does that. Bytes in the system's own send buffer, some hundred KiB to a few MiB, are
 * included. The number can fall when a request is repeated.
 */
export function measured<T>(onTaken: (bytes: number) => void, upload: () => T): T {
  let total = 0;
  const count = (bytes: number): void => {
    if (bytes === 0) return;
    total += bytes;
    onTaken(total);
  };
  const start = (): Sending => {
    let sent = 0;
    return {
      add(bytes) {
        sent += bytes;
        count(bytes);
      },
      undo() {
        count(-sent);
        sent = 0;
      },
    };
  };
  return meters.run({ start, setTo: (bytes) => count(bytes - total) }, upload);
}

/** Starts a request that sends bytes of the upload it is called in; counts nothing outside of {@link measured}. */
export const startSending = (): Sending => meters.getStore()?.start() ?? unmeasured;

/**
 * Sets the upload's count to what the service reports. A service that resumes uploads may keep part of a failed request, or only part of a
 * successful one. Call it only while no other request of the upload is sending.
 */
export const setTaken = (bytes: number): void => meters.getStore()?.setTo(bytes);
