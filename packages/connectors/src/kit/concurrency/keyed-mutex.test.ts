import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyedMutex } from './keyed-mutex.ts';

test('work of one key runs in sequence, even after a failure, and work of other keys in parallel', async () => {
  const mutex = createKeyedMutex();
  const told: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = mutex('a', async () => {
    await gate.promise;
    told.push('first');
    throw new Error('failed');
  });
  const second = mutex('a', async () => told.push('second'));
  await mutex('b', async () => told.push('other'));
  gate.resolve();
  await assert.rejects(first, /failed/);
  await second;
  assert.deepEqual(told, ['other', 'first', 'second']);
});
