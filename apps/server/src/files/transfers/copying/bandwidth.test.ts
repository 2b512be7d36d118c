import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createAccountBandwidth } from './account-bandwidth.ts';
import { bothLimits, createBandwidth } from './bandwidth.ts';

const { signal } = new AbortController();

test('bytes wait for their turn under a limit, shared with other transfers', async () => {
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

test('raising or lifting a limit releases the waiting bytes', async () => {
  let limit: number | null = 1;
  const bandwidth = createBandwidth(() => limit);
  const stuck = bandwidth.take(1_000_000, signal);
  assert.ok(stuck, 'it would take days');
  limit = null;
  await stuck;
  assert.equal(bandwidth.take(1_000_000, signal), undefined);
});

test('a waiter stops at once when aborted', async () => {
  const abort = new AbortController();
  const waiting = createBandwidth(() => 1).take(1_000_000, abort.signal);
  abort.abort();
  await assert.rejects(async () => waiting, { name: 'AbortError' });
});

test('the lower of two limits applies', async () => {
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

test('an account gets the lower of its own limit and of what operators allow', async () => {
  const open = '';
  for (const [timetable, allowed, first] of [
    [open, undefined, 10_000_000],
    [open, 4096, 4096],
    ['2k', 4096, 2048],
    ['8k', 4096, 4096],
  ] as const) {
    const accounts = createAccountBandwidth({
      store: { find: async (accountId) => ({ accountId, timetable, timezone: 'UTC' }), set: async () => undefined },
      limitOf: async () => allowed,
      now: () => 0,
      onTrouble: assert.ifError,
    });
    const bandwidth = await accounts.of('someone');
    assert.equal(bandwidth.take(first, signal), undefined, `${timetable} ${allowed}`);
    if (first >= 10_000_000) continue;
    const abort = new AbortController();
    const next = bandwidth.take(1, abort.signal);
    assert.ok(next, `no more than ${first} a second`);
    abort.abort();
    await assert.rejects(next, { name: 'AbortError' });
  }
});
