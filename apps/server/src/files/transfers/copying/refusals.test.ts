import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRefusals } from './refusals.ts';

test('a file that the service refuses does not keep it from copying the next ones; three in a row do, for ten minutes', () => {
  let now = 0;
  const refusals = createRefusals(() => now);
  const refuse = (times: number): void => {
    for (let time = 0; time < times; time += 1) refusals.refused('a b');
  };
  refuse(2);
  assert.equal(refusals.has('a b'), false);
  refusals.copied('a b');
  refuse(2);
  assert.equal(refusals.has('a b'), false);
  refuse(1);
  assert.deepEqual([refusals.has('a b'), refusals.has('b a')], [true, false]);
  now = 600_000;
  assert.equal(refusals.has('a b'), false);
  refuse(1);
  assert.equal(refusals.has('a b'), true);
});
