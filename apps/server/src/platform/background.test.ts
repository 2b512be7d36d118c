import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBackground } from './background.ts';
import { createLog } from './log.ts';

const quiet = () => createBackground(createLog('info', { write: () => undefined }));

test('tasks of one queue run in the order of their calls, also after a failure; others wait for nobody', async () => {
  const background = quiet();
  const done: string[] = [];
  const slow = Promise.withResolvers<void>();
  const other = Promise.withResolvers<void>();
  const failing = async (): Promise<void> => {
    await slow.promise;
    done.push('first');
    throw new Error('no line');
  };
  background.start('first', failing, 'one');
  background.start('second', async () => void done.push('second'), 'one');
  background.start('elsewhere', async () => void done.push('elsewhere'), 'another');
  background.start('alone', async () => {
    done.push('alone');
    other.resolve();
  });
  await other.promise;
  assert.deepEqual(done, ['elsewhere', 'alone']);
  slow.resolve();
  await background.idle();
  assert.deepEqual(done, ['elsewhere', 'alone', 'first', 'second']);
});
