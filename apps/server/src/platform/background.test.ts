import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBackground } from './background.ts';
import { createLog } from './log.ts';

const quiet = () => createBackground(createLog('info', { write: () => undefined }));

test('tasks of one queue run in the order of their calls, also after a failure; other queues do not wait', async () => {
  const background = quiet();
  const done: string[] = [];
  const slow = Promise.withResolvers<void>();
  const others = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const failing = async (): Promise<void> => {
    await slow.promise;
    done.push('first');
    throw new Error('no line');
  };
  background.start('first', failing, 'one');
  background.start('second', async () => void done.push('second'), 'one');
  const elsewhere = async (): Promise<void> => {
    done.push('elsewhere');
    others[0].resolve();
  };
  background.start('elsewhere', elsewhere, 'another');
  background.start('alone', async () => {
    done.push('alone');
    others[1].resolve();
  });
  await Promise.all(others.map(({ promise }) => promise));
  assert.deepEqual(done.toSorted(), ['alone', 'elsewhere']);
  slow.resolve();
  await background.idle();
  assert.deepEqual(done.slice(2), ['first', 'second']);
});

test('a task for after the answer starts only after what the caller and its promises do at once', async () => {
  const background = quiet();
  const done: string[] = [];
  background.startAfterAnswer('mail', async () => void done.push('task'));
  for (let step = 0; step < 100; step++) await Promise.resolve();
  done.push('answer');
  await background.idle();
  assert.deepEqual(done, ['answer', 'task']);
});
