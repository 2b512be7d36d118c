import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inParallel } from './in-parallel.ts';

test('every item is processed once, with bounded concurrency', async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve));
    running -= 1;
    done.push(item);
  });
  assert.deepEqual(done, [1, 2, 3, 4, 5]);
  assert.equal(most, 2);
});
