import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from './turns.ts';

test('works with the same key follow one another, even after a failure, and others go side by side', async () => {
  const turns = createTurns();
  const told: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = turns('a', async () => {
    await gate.promise;
    told.push('first');
    throw new Error('failed');
  });
  const second = turns('a', async () => told.push('second'));
  await turns('b', async () => told.push('other'));
  gate.resolve();
  await assert.rejects(first, /failed/);
  await second;
  assert.deepEqual(told, ['other', 'first', 'second']);
});
