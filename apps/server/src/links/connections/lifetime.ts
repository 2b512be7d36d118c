import { type Layer, createLifeline, follow } from '@sheaf/connectors';

/** Knows whether calls are under way, so that a connection can be closed when it is idle, or cut at once. */
export interface Lifetime {
  readonly layer: Layer;
  /** Lets what is under way, or just about to begin, finish; `closed` follows soon after. */
  retire(): void;
  /** Also ends the calls under way. */
  cut(): void;
  /** Resolves as soon as nothing is under way. */
  settled(): Promise<void>;
  /** A sign of life: the idle time begins anew. */
  touch(): void;
}

/** ms in which somebody who was just given the connection may still begin to use it. */
const grace = 5_000;

/** Calls `closed` once: when nothing was under way for `idleMilliseconds`, or as told. */
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
