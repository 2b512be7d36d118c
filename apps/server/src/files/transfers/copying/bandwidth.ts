import { setTimeout as sleep } from 'node:timers/promises';

/** Limits the bytes that pass in a second. */
export interface Bandwidth {
  /** Resolves when so many bytes may pass; rejects when the signal aborts. */
  take(bytes: number, signal: AbortSignal): Promise<void> | undefined;
}

/** Milliseconds after which those who wait look whether the limit has changed. */
const longestSleep = 250;

/** A token bucket that holds one second's bytes. `limit` is asked again and again, in bytes per second; while it is null, nobody waits. */
export function createBandwidth(limit: () => number | null, now: () => number = () => performance.now()): Bandwidth {
  let free = 0;
  let filledAt: number | undefined;

  /** Returns the present limit. */
  function fill(): number | null {
    const time = now();
    const rate = limit();
    // It begins full, and so it does after a time without a limit.
    if (rate === null) filledAt = undefined;
    else {
      free = filledAt === undefined ? rate : Math.min(rate, free + ((time - filledAt) / 1000) * rate);
      filledAt = time;
    }
    return rate;
  }

  async function wait(rate: number, signal: AbortSignal): Promise<void> {
    // What was taken too much is waited for, so that a chunk larger than the bucket passes as well.
    for (let left: number | null = rate; left !== null && free < 0; left = fill())
      await sleep(Math.min(longestSleep, (-free / left) * 1000), undefined, { signal });
  }

  return {
    take(bytes, signal) {
      const rate = fill();
      if (rate === null) return undefined;
      free -= bytes;
      return free >= 0 ? undefined : wait(rate, signal);
    },
  };
}

/** Lets bytes pass when both limits do. */
export const bothLimits = (one: Bandwidth, other: Bandwidth): Bandwidth => ({
  take(bytes, signal) {
    const waits = [one.take(bytes, signal), other.take(bytes, signal)].filter((wait) => wait !== undefined);
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
  },
});
