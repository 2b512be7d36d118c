import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSharedWork } from './shared-work.ts';

/** Work that ends on request, and a count of its runs. */
function setting() {
  const share = createSharedWork<string>();
  const begun: AbortSignal[] = [];
  const end = Promise.withResolvers<string>();
  const ask = (signal: AbortSignal) =>
    share('key', signal, (life) => {
      begun.push(life);
      return end.promise;
    });
  return { ask, begun, end };
}

test('several callers share one run of the work', async () => {
  const { ask, begun, end } = setting();
  const calls = [1, 2, 3].map(() => ask(new AbortController().signal));
  end.resolve('done');
  assert.deepEqual(await Promise.all(calls), ['done', 'done', 'done']);
  assert.equal(begun.length, 1);
});

test('a caller who leaves rejects with the reason of its own signal, and the work continues for the others', async () => {
  const { ask, begun, end } = setting();
  const leaving = new AbortController();
  const left = ask(leaving.signal);
  const stayed = ask(new AbortController().signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  assert.equal(begun[0]?.aborted, false);
  end.resolve('done');
  assert.equal(await stayed, 'done');
});

test('the work is aborted when the last caller leaves, and the next caller begins it again', async () => {
  const { ask, begun, end } = setting();
  const leaving = new AbortController();
  const left = ask(leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  assert.equal(begun[0]?.aborted, true);
  end.resolve('done');
  assert.equal(await ask(new AbortController().signal), 'done');
  assert.equal(begun.length, 2);
});
