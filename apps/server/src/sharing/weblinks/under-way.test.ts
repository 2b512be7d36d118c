import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUnderWay } from './under-way.ts';

test('a network may have a limited number of running calls, and another one when one of them has ended', async () => {
  const underWay = createUnderWay(2);
  const gate = Promise.withResolvers<void>();
  const first = underWay('a', () => gate.promise);
  const failing = underWay('a', () => gate.promise.then(() => Promise.reject(new Error('no'))));
  await assert.rejects(
    underWay('a', async () => 1),
    { messageCode: 'TOO_MANY_CALLS' },
  );
  assert.equal(await underWay('b', async () => 2), 2);
  gate.resolve();
  await first;
  await assert.rejects(failing, /no/);
  assert.equal(await underWay('a', async () => 3), 3);
});
