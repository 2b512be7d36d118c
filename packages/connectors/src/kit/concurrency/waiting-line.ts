/** A caller in the queue. */
export interface Waiter {
  /** Resolves when it is this waiter's turn; rejects when it leaves earlier. */
  readonly turn: Promise<void>;
  /** Leaves the queue; has no effect once called. */
  leave(reason: unknown): void;
}

interface JoinOptions {
  readonly signal: AbortSignal;
  /** Returns the error with which `turn` rejects when the signal fires. */
  readonly reason: () => unknown;
  /** Joins at the front of the queue. */
  readonly isFirst?: boolean;
  /** Runs synchronously when the waiter is called or leaves. */
  readonly left?: () => void;
}

/** A queue of callers that wait for a limited resource, in order of arrival. All limits on concurrency use it. */
export interface WaitingLine {
  readonly length: number;
  join(options: JoinOptions): Waiter;
  /** Calls the first waiter; returns false when there is none. */
  callNext(): boolean;
}

export function createWaitingLine(): WaitingLine {
  const waiting: { readonly call: () => void }[] = [];
  return {
    get length() {
      return waiting.length;
    },
    join({ signal, reason, isFirst = false, left }) {
      const { promise: turn, resolve, reject } = Promise.withResolvers<void>();
      const depart = (): void => {
        signal.removeEventListener('abort', onAbort);
        left?.();
      };
      const place = {
        call: () => {
          depart();
          resolve();
        },
      };
      const leave = (why: unknown): void => {
        const index = waiting.indexOf(place);
        if (index === -1) return;
        waiting.splice(index, 1);
        depart();
        reject(why);
      };
      const onAbort = () => leave(reason());
      if (isFirst) waiting.unshift(place);
      else waiting.push(place);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      return { turn, leave };
    },
    callNext() {
      const next = waiting.shift();
      next?.call();
      return next !== undefined;
    },
  };
}
