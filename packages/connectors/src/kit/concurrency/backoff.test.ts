import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../core/error.ts';
import { retrying, waitAfter } from './backoff.ts';

const { signal } = new AbortController();
const busy = (retryAfter?: number) =>
  new ConnectorError('rateLimited', 'slow down', { retryable: true, ...(retryAfter !== undefined && { retryAfter }) });

test('waits double up to the longest one, and are never shorter than the service requests', () => {
  const waits = [1, 2, 3, 4, 5, 100].map((attempt) => waitAfter(attempt, { first: 100, most: 1000 }));
  assert.deepEqual(waits, [100, 200, 400, 800, 1000, 1000]);
  assert.equal(waitAfter(1, { first: 100, most: 1000 }, 5000), 5000);
});

test('a jittered wait lies within its range', () => {
  for (let time = 0; time < 1000; time++) {
    const wait = waitAfter(2, { first: 100, spread: [0.5, 1] });
    assert.ok(wait >= 100 && wait <= 200, String(wait));
  }
});

test('work is repeated until it succeeds, fails permanently, or the next wait is too long', async () => {
  const run = async (failures: readonly Error[]) => {
    const waits: number[] = [];
    let calls = 0;
    const rule = {
      attempts: 3,
      first: 100,
      longest: 1000,
      mayRetry: ({ retryable }: ConnectorError) => retryable,
      wait: async (wait: number) => void waits.push(wait),
    };
    const work = async (): Promise<string> => {
      const failure = failures[calls++];
      if (failure) throw failure;
      return 'done';
    };
    const outcome = await retrying(signal, rule, work).catch((error: unknown) => error);
    return { outcome: outcome instanceof ConnectorError ? outcome.kind : outcome, waits };
  };
  assert.deepEqual(await run([busy(), busy(700)]), { outcome: 'done', waits: [100, 700] });
  assert.deepEqual(await run([busy(), busy(), busy()]), { outcome: 'rateLimited', waits: [100, 200] });
  assert.deepEqual(await run([busy(1001)]), { outcome: 'rateLimited', waits: [] });
  assert.deepEqual(await run([new ConnectorError('notFound', 'gone')]), { outcome: 'notFound', waits: [] });
  const fault = new TypeError('a bug');
  assert.deepEqual(await run([fault]), { outcome: fault, waits: [] });
});

test('an abort ends a wait', async () => {
  const rule = { attempts: 3, first: 100, longest: 1000, mayRetry: () => true };
  await assert.rejects(
    retrying(AbortSignal.abort(), rule, () => Promise.reject(busy())),
    { kind: 'aborted' },
  );
});
