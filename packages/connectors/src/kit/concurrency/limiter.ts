import { createWaitingLine } from './waiting-line.ts';

/** Limits how much work runs at the same time. */
export interface Limiter {
  /** Waits for a free slot, in order; rejects with the signal's reason when it fires before. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Runs the work at once, or rejects with `refusal` when no slot is free. */
  runNow<T>(work: () => Promise<T>, refusal: () => unknown): Promise<T>;
  /** Whether no work is running. */
  isIdle(): boolean;
}

/** Runs at most `count` pieces of work at a time. */
export function createLimiter(count: number): Limiter {
  let free = count;
  const line = createWaitingLine();

  async function inSlot<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      // The slot passes to the next waiter; a waiter that was aborted in the meantime passes it on.
      if (!line.callNext()) free += 1;
    }
  }

  return {
    async run(signal, work) {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else await line.join({ signal, reason: () => signal.reason }).turn;
      return inSlot(work);
    },
    async runNow(work, refusal) {
      if (free === 0) throw refusal();
      free -= 1;
      return inSlot(work);
    },
    isIdle: () => free === count,
  };
}

/** Creates one limiter of `count` per key; forgets the limiters of idle keys. */
export function createKeyedLimiter(count: number) {
  const byKey = new Map<string, Limiter>();
  async function within<T>(key: string, apply: (limiter: Limiter) => Promise<T>): Promise<T> {
    const limiter = byKey.get(key) ?? createLimiter(count);
    byKey.set(key, limiter);
    try {
      return await apply(limiter);
    } finally {
      if (limiter.isIdle() && byKey.get(key) === limiter) byKey.delete(key);
    }
  }
  return {
    run: <T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => within(key, (limiter) => limiter.run(signal, work)),
    runNow: <T>(key: string, work: () => Promise<T>, refusal: () => unknown): Promise<T> =>
      within(key, (limiter) => limiter.runNow(work, refusal)),
  };
}
