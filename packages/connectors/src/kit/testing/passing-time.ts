import type { TestContext } from 'node:test';

/**
 * From now on, until the end of the test, no timer fires by itself and the clock of `performance` stands still: nobody loses patience, however slow the machine is.
 * Gives a way to let time pass quickly until a call has ended that nothing but a timer can end.
 */
export function passingTime(t: TestContext): <T>(call: Promise<T>) => Promise<T> {
  const realTimeout = setTimeout;
  let now = performance.now();
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  return async (call) => {
    let over = false;
    const end = (): void => void (over = true);
    void call.then(end, end);
    while (!over) {
      // What is on its way to this process arrives meanwhile.
      await new Promise((resolve) => realTimeout(resolve, 5));
      now += 1000;
      t.mock.timers.tick(1000);
    }
    return call;
  };
}
