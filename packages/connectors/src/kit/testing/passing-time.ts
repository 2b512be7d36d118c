import type { TestContext } from 'node:test';

interface Timer {
  readonly run: () => void;
  refresh(): Timer;
  ref(): Timer;
  unref(): Timer;
}

/**
 * Stops the clock of `performance` and all timers of `setTimeout` until the end of the test, so that nothing times out however slow the
 * machine is. Returns a function that lets time pass quickly until a call has ended that only a timer can end. Does not use Node's own
 * mock: it mistakes a timer of an earlier test that is cleared late for one of this test.
 */
export function passingTime(t: TestContext): <T>(call: Promise<T>) => Promise<T> {
  const [realTimeout, realClear] = [setTimeout, clearTimeout];
  // Whole milliseconds: sums of fractions would sometimes miss a timer by one step.
  let now = Math.ceil(performance.now());
  const due = new Map<Timer, number>();
  const start = (callback: (...args: readonly unknown[]) => void, ms = 0, ...args: readonly unknown[]): Timer => {
    const timer: Timer = {
      run: () => callback(...args),
      refresh() {
        due.set(timer, now + ms);
        return timer;
      },
      ref: () => timer,
      unref: () => timer,
    };
    return timer.refresh();
  };
  t.mock.method(performance, 'now', () => now);
  t.mock.method(globalThis, 'setTimeout', start as unknown as typeof setTimeout);
  t.mock.method(globalThis, 'clearTimeout', (timer: NodeJS.Timeout | undefined) => {
    if (!due.delete(timer as unknown as Timer)) realClear(timer);
  });
  return async (call) => {
    let over = false;
    const end = (): void => void (over = true);
    void call.then(end, end);
    while (!over) {
      // Lets data on its way to this process arrive in the meantime.
      await new Promise((resolve) => realTimeout(resolve, 5));
      now += 1000;
      for (const [timer, at] of due) if (at <= now && due.delete(timer)) timer.run();
    }
    return call;
  };
}
