import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Body } from '@sheaf/connectors';
import { pull } from './pulled.ts';

const never = new AbortController().signal;

/** A body that lends one piece of memory for all its chunks. */
function lending(chunks: readonly number[], failure?: Error): { body: Body; given: () => number; isCancelled: () => boolean } {
  let given = 0;
  let isCancelled = false;
  const memory = new Uint8Array(8);
  const body: Body = {
    entry: {},
    async drain(take) {
      for (const value of chunks) {
        if (isCancelled) return;
        memory.fill(value);
        given++;
        await take(memory);
        memory.fill(255);
      }
      if (failure) throw failure;
    },
    cancel: () => void (isCancelled = true),
  };
  return { body, given: () => given, isCancelled: () => isCancelled };
}

test('pieces of any size are read from chunks whose memory is used again', async () => {
  const { body } = lending([1, 2, 3]);
  const pulled = pull(body, never);
  assert.deepEqual([...(await pulled.take(5))], [1, 1, 1, 1, 1]);
  assert.deepEqual([...(await pulled.take(12))], [1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3]);
  assert.deepEqual([...(await pulled.take(100))], [3, 3, 3, 3, 3, 3, 3]);
  assert.equal((await pulled.take(100)).byteLength, 0);
});

test('the source waits for its reader', async () => {
  const { body, given, isCancelled } = lending([1, 2, 3]);
  const pulled = pull(body, never);
  await pulled.take(3);
  await setImmediate();
  assert.equal(given(), 1);
  pulled.stop();
  await setImmediate();
  assert.deepEqual([given(), isCancelled()], [1, true]);
});

test('a failure comes after the bytes before it, and an aborted signal ends the wait', async () => {
  const failure = new Error('the source failed');
  const failing = pull(lending([1], failure).body, never);
  assert.equal((await failing.take(8)).byteLength, 8);
  await assert.rejects(failing.take(8), failure);
  const { promise, resolve } = Promise.withResolvers<void>();
  const leaving = new AbortController();
  const silent = pull({ entry: {}, drain: () => promise, cancel: resolve }, leaving.signal);
  const waiting = silent.take(8);
  leaving.abort(failure);
  await assert.rejects(waiting, failure);
});
