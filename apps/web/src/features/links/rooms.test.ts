import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullnessOf, roomWords } from './rooms.ts';

test('room is shown with its limit where there is one, and is scarce from nine tenths on', () => {
  const gb = 1024 ** 3;
  assert.equal(roomWords({ used: 2 * gb, total: 5 * gb }), '2.0 GB of 5.0 GB');
  assert.equal(roomWords({ used: 2 * gb }), '2.0 GB used');
  assert.equal(fullnessOf({ used: 1 }), undefined);
  assert.equal(fullnessOf({ used: 1, total: 0 }), undefined, 'a server that tells nothing sensible');
  assert.deepEqual(fullnessOf({ used: 89, total: 100 }), { part: 0.89, isScarce: false });
  assert.deepEqual(fullnessOf({ used: 90, total: 100 }), { part: 0.9, isScarce: true });
  assert.deepEqual(fullnessOf({ used: 140, total: 100 }), { part: 1, isScarce: true }, 'more than was bought');
});
