import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyedLimiter, createLimiter } from './limiter.ts';

test('a caller that gives up at the moment it gets a slot does not block the slot', async () => {
  const limiter = createLimiter(1);
  const first = Promise.withResolvers<void>();
  const never = new AbortController().signal;
  const leaving = new AbortController();
  const order: string[] = [];
  const running = limiter.run(never, () => first.promise);
  const second = limiter.run(leaving.signal, async () => void order.push('second'));
  const third = limiter.run(never, async () => void order.push('third'));
  first.resolve();
  await running.then(() => leaving.abort(new Error('gone')));
  await Promise.allSettled([second, third]);
  assert.ok(order.includes('third'));
  assert.equal(limiter.isIdle(), true);
});

test('a caller that gives up while waiting leaves at once, and the others keep their order', async () => {
  const limiter = createLimiter(1);
  const first = Promise.withResolvers<void>();
  const never = new AbortController().signal;
  const leaving = new AbortController();
  const order: number[] = [];
  const running = limiter.run(never, () => first.promise);
  const left = limiter.run(leaving.signal, async () => void order.push(1));
  const rest = [2, 3].map((number) => limiter.run(never, async () => void order.push(number)));
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  first.resolve();
  await Promise.all([running, ...rest]);
  assert.deepEqual(order, [2, 3]);
  assert.equal(limiter.isIdle(), true);
});

test('work that must not wait is refused while all slots are taken, and runs once one is free', async () => {
  const limiter = createKeyedLimiter(1);
  const first = Promise.withResolvers<void>();
  const running = limiter.runNow('a', () => first.promise, assert.fail);
  const refused = limiter.runNow(
    'a',
    async () => 'no',
    () => new Error('full'),
  );
  await assert.rejects(refused, /full/);
  assert.equal(await limiter.runNow('b', async () => 'other', assert.fail), 'other');
  first.resolve();
  await running;
  assert.equal(await limiter.runNow('a', async () => 'again', assert.fail), 'again');
});

test('each key has its own slots', async () => {
  const limiter = createKeyedLimiter(2);
  const signal = new AbortController().signal;
  const most = new Map<string, number>();
  const running = new Map<string, number>();
  const work = async (key: string): Promise<void> => {
    const now = (running.get(key) ?? 0) + 1;
    running.set(key, now);
    most.set(key, Math.max(most.get(key) ?? 0, now));
    await new Promise(setImmediate);
    running.set(key, now - 1);
  };
  const keys = ['a', 'b'].flatMap((key) => Array<string>(6).fill(key));
  await Promise.all(keys.map((key) => limiter.run(key, signal, () => work(key))));
  assert.deepEqual(
    [...most],
    [
      ['a', 2],
      ['b', 2],
    ],
  );
});
