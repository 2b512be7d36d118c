import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slackRefusal } from './errors.ts';

for (const [error, kind, retryable] of [
  ['token_revoked', 'needsAuthorization', false],
  ['invalid_refresh_token', 'needsAuthorization', false],
  ['code_already_used', 'unauthorized', false],
  ['bad_client_secret', 'appRefused', false],
  ['missing_scope', 'forbidden', false],
  ['cant_delete_file', 'forbidden', false],
  ['file_deleted', 'notFound', false],
  ['storage_limit_reached', 'full', false],
  ['ratelimited', 'rateLimited', true],
  ['fatal_error', 'unreachable', true],
  ['a_code_of_tomorrow', 'unexpected', false],
] as const)
  test(`${error} is ${kind}`, () => {
    const refusal = slackRefusal({ ok: false, error });
    assert.deepEqual([refusal.kind, refusal.retryable], [kind, retryable]);
    assert.ok(refusal.message.includes(error));
  });

test('text that is not a code stays out of the log, and the missing scope is in details.scope', () => {
  assert.ok(!slackRefusal({ ok: false, error: 'xoxp-1 is no token' }).message.includes('xoxp'));
  assert.deepEqual(slackRefusal({ ok: false, error: 'missing_scope', needed: 'files:write' }).details, { scope: 'files:write' });
});
