import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlots } from './slots.ts';

test('who gives up in the moment of their turn does not cost another one theirs', async () => {
  const slots = createSlots(1);
  const first = Promise.withResolvers<void>();
  const never = new AbortController().signal;
  const leaving = new AbortController();
  const order: string[] = [];
  const running = slots.run(never, () => first.promise);
  const second = slots.run(leaving.signal, async () => void order.push('second'));
  const third = slots.run(never, async () => void order.push('third'));
  first.resolve();
  await running.then(() => leaving.abort(new Error('gone')));
  await Promise.allSettled([second, third]);
  assert.ok(order.includes('third'));
  assert.equal(slots.isIdle(), true);
});

test('who gives up while waiting leaves at once, and the others keep their order', async () => {
  const slots = createSlots(1);
  const first = Promise.withResolvers<void>();
  const never = new AbortController().signal;
  const leaving = new AbortController();
  const order: number[] = [];
  const running = slots.run(never, () => first.promise);
  const left = slots.run(leaving.signal, async () => void order.push(1));
  const rest = [2, 3].map((number) => slots.run(never, async () => void order.push(number)));
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  first.resolve();
  await Promise.all([running, ...rest]);
  assert.deepEqual(order, [2, 3]);
  assert.equal(slots.isIdle(), true);
});
