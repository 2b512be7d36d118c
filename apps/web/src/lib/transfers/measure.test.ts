import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace, secondsLeft, shareOf } from './measure.ts';

const progress = { bytesDone: 0, bytesTotal: 1000, itemsDone: 0, itemsTotal: 10, itemsFailed: 0 };

test('the remaining time is that of the bytes, or of the items where they take longer', () => {
  assert.equal(secondsLeft({ ...progress, bytesDone: 500, itemsDone: 5 }, 100, 5), 5);
  // Many small files: their number decides, not their bytes.
  assert.equal(secondsLeft({ ...progress, bytesDone: 500, itemsDone: 5 }, 100, 0.5), 10);
  // One large file at the end: small ones that came before say nothing about it.
  assert.equal(secondsLeft({ ...progress, itemsDone: 9 }, 100, 0.01), 10);
  assert.equal(secondsLeft({ ...progress, bytesDone: 1000, itemsDone: 10 }, 100, 1), 0);
});

test('the remaining time is unknown while nothing arrives', () => {
  assert.equal(secondsLeft(progress, 0, 5), undefined);
  assert.equal(secondsLeft({ ...progress, bytesDone: 1000, itemsDone: 8 }, 100, 0), undefined);
  const pace = createPace();
  pace.note({ ...progress, bytesDone: 100 }, 0);
  assert.deepEqual(pace.of(progress), { rate: undefined, secondsLeft: undefined });
  pace.note({ ...progress, bytesDone: 300 }, 1000);
  assert.equal(pace.of({ ...progress, bytesDone: 300 }).rate, 200);
  // A stall: the same bytes again and again.
  for (let at = 2000; at <= 12_000; at += 1000) pace.note({ ...progress, bytesDone: 300 }, at);
  assert.deepEqual(pace.of({ ...progress, bytesDone: 300 }), { rate: 0, secondsLeft: undefined });
});

test('the remaining time is not told in the first seconds', () => {
  const pace = createPace();
  for (const at of [0, 1000, 2000]) pace.note({ ...progress, bytesDone: at / 10 }, at);
  assert.deepEqual(pace.of({ ...progress, bytesDone: 200 }), { rate: 100, secondsLeft: undefined });
  pace.note({ ...progress, bytesDone: 300 }, 3000);
  assert.deepEqual(pace.of({ ...progress, bytesDone: 300 }), { rate: 100, secondsLeft: 7 });
});

test('progress is counted in bytes, or in items where there are none', () => {
  assert.equal(shareOf({ ...progress, bytesDone: 250 }), 0.25);
  assert.equal(shareOf({ ...progress, bytesTotal: 0, itemsDone: 5 }), 0.5);
  assert.equal(shareOf({ ...progress, bytesTotal: 0, itemsTotal: 0 }), 0);
  assert.equal(shareOf({ ...progress, bytesDone: 1200 }), 1);
});
