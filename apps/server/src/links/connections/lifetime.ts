import { type Layer, createLifeline, follow } from '@sheaf/connectors';

/** Tracks running calls, so that a connection can be closed when idle, or aborted. */
export interface Lifetime {
  readonly layer: Layer;
  /** Lets running and just beginning calls finish; `closed` follows soon after. */
  retire(): void;
  /** Also aborts running calls. */
  cut(): void;
  /** Resolves as soon as no call is running. */
  settled(): Promise<void>;
  /** Restarts the idle time. */
  touch(): void;
}

/** Milliseconds within which a caller that just received the connection may begin to use it. */
const grace = 5_000;

/** Calls `closed` once: after `idleMilliseconds` without a running call, or on request. */
export function createLifetime(idleMilliseconds: number, closed: () => void): Lifetime {
  const end = new AbortController();
  let underWay = 0;
  let isClosed = false;
  let waiting: (() => void)[] = [];
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(idle);
    closed();
  };
  const closeWhenIdle = (milliseconds: number) => {
    const timer = setTimeout(() => (underWay === 0 ? close() : timer.refresh()), milliseconds).unref();
    return timer;
  };
  let idle = closeWhenIdle(idleMilliseconds);

  return {
    async layer(call, next) {
      underWay++;
      const lifeline = createLifeline(call.signal, end.signal);
      const ended = () => {
        lifeline.release();
        underWay--;
        idle.refresh();
        if (underWay > 0) return;
        for (const go of waiting) go();
        waiting = [];
      };
      try {
        return follow(await next(lifeline.signal), { ended });
      } catch (error) {
        ended();
        throw error;
      }
    },
    retire() {
      clearTimeout(idle);
      idle = closeWhenIdle(Math.min(grace, idleMilliseconds));
    },
    cut() {
      end.abort();
      close();
    },
    async settled() {
      if (underWay > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    touch: () => void idle.refresh(),
  };
}
