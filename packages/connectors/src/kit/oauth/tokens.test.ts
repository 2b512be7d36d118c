import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Grant } from '../../core/authorization.ts';
import { ConnectorError } from '../../core/error.ts';
import { createTokens } from './tokens.ts';

const signal = AbortSignal.timeout(60_000);

function stand(first: Grant) {
  let now = 1_000_000;
  let stored = first;
  let renewals = 0;
  let failure: ConnectorError | undefined;
  const tokens = createTokens({
    load: async () => stored,
    async renew() {
      renewals += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (failure) throw failure;
      stored = { accessToken: `token ${renewals}`, expiresAt: now + 3_600_000 };
      return stored;
    },
    now: () => now,
  });
  return {
    tokens,
    renewals: () => renewals,
    pass: (milliseconds: number) => void (now += milliseconds),
    fail: (error: ConnectorError | undefined) => void (failure = error),
    store: (grant: Grant) => void (stored = grant),
  };
}

describe('tokens', () => {
  test('a token is renewed before it expires, once for twenty concurrent callers', async () => {
    const { tokens, renewals, pass } = stand({ accessToken: 'first', expiresAt: 1_000_000 + 3_600_000 });
    assert.equal(await tokens.access(signal), 'first');
    pass(3_500_000);
    const all = await Promise.all(Array.from({ length: 20 }, () => tokens.access(signal)));
    assert.deepEqual(new Set(all), new Set(['token 1']));
    assert.equal(renewals(), 1);
  });

  test('a rejected token is renewed once; one that is already newer is used as it is', async () => {
    const { tokens, renewals } = stand({ accessToken: 'first' });
    assert.equal(await tokens.access(signal), 'first');
    assert.deepEqual(await Promise.all([tokens.access(signal, 'first'), tokens.access(signal, 'first')]), ['token 1', 'token 1']);
    assert.equal(await tokens.access(signal, 'first'), 'token 1');
    assert.equal(renewals(), 1);
  });

  test('a token renewed by another instance is used instead of renewing again', async () => {
    const { tokens, renewals, store } = stand({ accessToken: 'first' });
    await tokens.access(signal);
    store({ accessToken: 'by another' });
    assert.equal(await tokens.access(signal, 'first'), 'by another');
    assert.equal(renewals(), 0);
  });

  test('a refused renewal is reported to everyone, and retried the next time', async () => {
    const { tokens, renewals, fail } = stand({ accessToken: 'first', expiresAt: 0 });
    fail(new ConnectorError('needsAuthorization', 'refused'));
    await assert.rejects(tokens.access(signal), { kind: 'needsAuthorization' });
    await assert.rejects(tokens.access(signal), { kind: 'needsAuthorization' });
    assert.equal(renewals(), 2);
  });

  test('while the service is unreachable the token is used to its end; a rejected one, or a refusal, ends it', async () => {
    const { tokens, pass, fail } = stand({ accessToken: 'first', expiresAt: 1_000_000 + 3_600_000 });
    pass(3_500_000);
    fail(new ConnectorError('unreachable', 'no way', { retryable: true }));
    assert.equal(await tokens.access(signal), 'first');
    await assert.rejects(tokens.access(signal, 'first'), { kind: 'unreachable' });
    fail(new ConnectorError('needsAuthorization', 'refused'));
    await assert.rejects(tokens.access(signal), { kind: 'needsAuthorization' });
    fail(new ConnectorError('unreachable', 'no way', { retryable: true }));
    pass(95_000);
    await assert.rejects(tokens.access(signal), { kind: 'unreachable' });
    fail(undefined);
    assert.equal(await tokens.access(signal), 'token 5');
  });

  test('a caller that stops waiting does not end the renewal for the others', async () => {
    const { tokens } = stand({ accessToken: 'first', expiresAt: 0 });
    const impatient = new AbortController();
    const first = tokens.access(impatient.signal);
    const second = tokens.access(signal);
    impatient.abort();
    await assert.rejects(first, { kind: 'aborted' });
    assert.equal(await second, 'token 1');
  });
});
