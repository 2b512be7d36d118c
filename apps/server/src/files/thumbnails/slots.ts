/** Runs at most `count` tasks concurrently; the rest wait in order. */
export function createSlots(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };

  /** Waits for a slot; rejects with the signal's reason when it aborts first. */
  const enter = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      const place = waiting.indexOf(resolve);
      // A caller whose turn has come keeps the slot until the work has seen the signal.
      if (place < 0) return;
      waiting.splice(place, 1);
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a signal's reason is whatever its owner gave
      reject(signal.reason);
    };
    waiting.push(resolve);
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  };

  return {
    /** Runs the work in a slot and returns its result. */
    async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    /** Nothing is running, so nothing waits. */
    isIdle: (): boolean => free === count,
  };
}

/** A separate set of `count` slots per key. */
export function createSlotsByKey(count: number) {
  const byKey = new Map<string, ReturnType<typeof createSlots>>();
  return {
    async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const slots = byKey.get(key) ?? createSlots(count);
      byKey.set(key, slots);
      try {
        return await slots.run(signal, work);
      } finally {
        if (slots.isIdle()) byKey.delete(key);
      }
    },
  };
}
