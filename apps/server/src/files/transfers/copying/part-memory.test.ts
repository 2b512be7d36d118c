import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPartMemory } from './part-memory.ts';

/** Runs everything that is due now. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('memory for parts is given in the order of asking, never more than there is, and a part above all gets all', async () => {
  const memory = createPartMemory(100);
  const { signal } = new AbortController();
  const order: string[] = [];
  const ask = async (name: string, bytes: number, by: AbortSignal = signal) => {
    const giveBack = await memory.reserve(bytes, by);
    order.push(name);
    return giveBack;
  };
  const first = await ask('first', 60);
  const large = ask('large', 1000);
  const leaving = new AbortController();
  const left = ask('left', 40, leaving.signal);
  const small = ask('small', 40);
  await settled();
  assert.deepEqual(order, ['first'], 'nobody overtakes');
  leaving.abort(new Error('no longer wanted'));
  await assert.rejects(left, /no longer wanted/);
  first();
  (await large)();
  (await small)();
  assert.deepEqual(order, ['first', 'large', 'small']);
});

test('who gives up lets the next one in', async () => {
  const memory = createPartMemory(100);
  const { signal } = new AbortController();
  await memory.reserve(60, signal);
  const leaving = new AbortController();
  const large = memory.reserve(50, leaving.signal);
  const small = memory.reserve(40, signal);
  leaving.abort(new Error('no longer wanted'));
  await assert.rejects(large, /no longer wanted/);
  await small;
});
