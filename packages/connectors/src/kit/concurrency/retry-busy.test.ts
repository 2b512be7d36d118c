import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../core/error.ts';
import { afterChange, retryWhileBusy, pauseBeforeRetry, uploadWait } from './retry-busy.ts';

const signal = new AbortController().signal;
const busy = (retryAfter?: number) =>
  new ConnectorError('rateLimited', 'slow down', { retryable: true, ...(retryAfter !== undefined && { retryAfter }) });

/** Fails the given number of times, then succeeds. */
function failing(times: number, error: ConnectorError) {
  let left = times;
  return async (): Promise<string> => {
    if (left-- > 0) throw error;
    return 'done';
  };
}

test('in the middle of an upload a service may ask for two minutes, elsewhere for ten seconds', async () => {
  const given = AbortSignal.abort();
  await assert.rejects(pauseBeforeRetry(1, busy(10_000), given), { kind: 'aborted' });
  assert.equal(await pauseBeforeRetry(1, busy(10_001), given), false);
  await assert.rejects(pauseBeforeRetry(1, busy(120_000), given, uploadWait), { kind: 'aborted' });
  assert.equal(await pauseBeforeRetry(1, busy(120_001), given, uploadWait), false);
  await assert.rejects(retryWhileBusy(given, failing(1, busy(90_000)), undefined, uploadWait), { kind: 'aborted' });
  await assert.rejects(retryWhileBusy(given, failing(1, busy(90_000))), { kind: 'rateLimited', retryAfter: 90_000 });
});

test('the error of a follow-up to a change does not let the change be repeated', async () => {
  assert.equal(await afterChange(signal, failing(1, busy())), 'done');
  await assert.rejects(afterChange(signal, failing(1, busy(60_000))), { kind: 'interrupted', retryable: false });
});
