import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whenInitialised } from './start-up.ts';

test('start-up checks every 50 ms until the app says that it is initialised [RT-113]', async () => {
  const pauses: number[] = [];
  await whenInitialised(
    () => pauses.length === 3,
    (milliseconds) => {
      pauses.push(milliseconds);
      return Promise.resolve();
    },
  );
  assert.deepEqual(pauses, [50, 50, 50]);
});
