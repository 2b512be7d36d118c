import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { bothLimits, createBandwidth } from './bandwidth.ts';

const { signal } = new AbortController();

test('bytes wait for their turn at the limit, together with those of other transfers', async () => {
  let time = 0;
  const bandwidth = createBandwidth(
    () => 1000,
    () => time,
  );
  assert.equal(bandwidth.take(600, signal), undefined);
  const late = bandwidth.take(900, signal);
  assert.ok(late, 'the bucket is empty');
  let isThrough = false;
  const through = late.then(() => (isThrough = true));
  await turn();
  assert.equal(isThrough, false);
  time = 600;
  await through;
  time = 10_000;
  assert.equal(bandwidth.take(1000, signal), undefined);
  const abort = new AbortController();
  const next = bandwidth.take(1, abort.signal);
  assert.ok(next, 'the bucket holds one second only');
  abort.abort();
  await assert.rejects(next, { name: 'AbortError' });
});

test('a limit that is raised or lifted lets those pass who wait', async () => {
  let limit: number | null = 1;
  const bandwidth = createBandwidth(() => limit);
  const stuck = bandwidth.take(1_000_000, signal);
  assert.ok(stuck, 'it would take days');
  limit = null;
  await stuck;
  assert.equal(bandwidth.take(1_000_000, signal), undefined);
});

test('who waits stops at once when aborted', async () => {
  const abort = new AbortController();
  const waiting = createBandwidth(() => 1).take(1_000_000, abort.signal);
  abort.abort();
  await assert.rejects(async () => waiting, { name: 'AbortError' });
});

test('of two limits the lower one holds', async () => {
  const loose = createBandwidth(() => null);
  const tight = createBandwidth(
    () => 10,
    () => 0,
  );
  assert.equal(bothLimits(loose, loose).take(100, signal), undefined);
  const abort = new AbortController();
  const waiting = bothLimits(loose, tight).take(100, abort.signal);
  assert.ok(waiting);
  abort.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
});
