import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measured, setTaken, startSending } from './upload-meter.ts';

test('the bytes of concurrent requests of one upload add up, and those of a failed one are subtracted', async () => {
  const taken: number[] = [];
  await measured(
    (bytes) => taken.push(bytes),
    async () => {
      const [first, second] = [startSending(), startSending()];
      first.add(10);
      await Promise.resolve();
      second.add(5);
      first.undo();
      first.undo();
      startSending().add(10);
    },
  );
  assert.deepEqual(taken, [10, 15, 5, 15]);
});

test('the count of a service that reports its progress is trusted', () => {
  const taken: number[] = [];
  measured(
    (bytes) => taken.push(bytes),
    () => {
      startSending().add(80);
      setTaken(50);
      startSending().add(50);
    },
  );
  assert.deepEqual(taken, [80, 50, 100]);
});

test('concurrent uploads are counted separately, and bytes outside of an upload are not counted', async () => {
  const totals = [0, 0];
  startSending().add(1);
  await Promise.all(
    totals.map((_, index) =>
      measured(
        (bytes) => (totals[index] = bytes),
        async () => {
          await Promise.resolve();
          startSending().add(index + 1);
        },
      ),
    ),
  );
  assert.deepEqual(totals, [1, 2]);
});
