import { setTimeout as sleep } from 'node:timers/promises';

/** Limits the bytes that pass in a second. */
export interface Bandwidth {
  /** Resolves when so many bytes may pass; rejects when the signal aborts. */
  take(bytes: number, signal: AbortSignal): Promise<void> | undefined;
}

/** A token bucket that holds one second's bytes. Without a limit it never waits. */
export function createBandwidth(bytesPerSecond: number | null, now: () => number = () => performance.now()): Bandwidth {
  if (bytesPerSecond === null) return { take: () => undefined };
  let free = bytesPerSecond;
  let filledAt = now();
  return {
    take(bytes, signal) {
      const time = now();
      free = Math.min(bytesPerSecond, free + ((time - filledAt) / 1000) * bytesPerSecond);
      filledAt = time;
      free -= bytes;
      // What was taken too much is waited for, so that a chunk larger than the bucket passes as well.
      return free >= 0 ? undefined : sleep((-free / bytesPerSecond) * 1000, undefined, { signal });
    },
  };
}
