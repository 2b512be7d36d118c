/** Lets at most `count` pieces of work run at the same time; the rest wait in order. */
export function createSlots(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };

  /** Waits for a slot; rejects with the signal's reason when it fires first. */
  const enter = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      waiting.splice(waiting.indexOf(resolve), 1);
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a signal's reason is whatever its owner gave
      reject(signal.reason);
    };
    waiting.push(resolve);
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  };

  return {
    /** Runs the work in a slot and gives what it gives. */
    async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
