import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allInParallel, inParallel } from './parallel.ts';

const numbers = [1, 2, 3, 4, 5, 6];

/** Work that fails on the given number, and a record of what it has worked on. */
function failingAt(bad: number) {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  const work = async (number: number): Promise<void> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running -= 1;
    if (number === bad) throw new Error(`not ${number}`);
    done.push(number);
  };
  return { done, work, most: () => most, running: () => running };
}

test('nothing is started after a failure, and running work has ended', async () => {
  const { done, work, most, running } = failingAt(2);
  await assert.rejects(inParallel(numbers, 2, work), /not 2/);
  assert.ok(!done.includes(6));
  assert.deepEqual([most(), running()], [2, 0]);
});

test('a failure stops no other item where all are wanted, and is reported at the end', async () => {
  const { done, work, most } = failingAt(2);
  await assert.rejects(allInParallel(numbers, 3, work), /not 2/);
  assert.deepEqual(done, [1, 3, 4, 5, 6]);
  assert.equal(most(), 3);
});
