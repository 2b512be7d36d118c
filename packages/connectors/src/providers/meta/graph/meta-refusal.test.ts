import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { graphRefusal } from './meta-refusal.ts';

const answer = (status: number, headers: Readonly<Record<string, string>> = {}) => ({ status, headers }) as HttpResponse;
const body = (code: number, subcode?: number, more = {}) =>
  JSON.stringify({
    error: { message: 'secret words', type: 'OAuthException', code, ...(subcode !== undefined && { error_subcode: subcode }), ...more },
  });

for (const [what, status, text, kind, retryable] of [
  ['a token that has ended', 400, body(190, 463), 'needsAuthorization', false],
  ['a session that has ended', 401, body(102), 'needsAuthorization', false],
  ['a permission that is missing', 403, body(200), 'forbidden', false],
  ['a permission of an application', 400, body(10), 'forbidden', false],
  ['an object that is not there', 400, body(100, 33), 'notFound', false],
  ['a parameter that is wrong', 400, body(100), 'unexpected', false],
  ['too many calls of the application', 400, body(4), 'rateLimited', true],
  ['too many calls of the user', 403, body(17), 'rateLimited', true],
  ['a failure for a moment', 500, body(2), 'unreachable', true],
  ['another failure for a moment', 400, body(9999, undefined, { is_transient: true }), 'unreachable', true],
  ['a code nobody knows', 400, body(9999), 'unexpected', false],
  ['a proxy that fails', 502, '<html>', 'unreachable', true],
  ['a refusal that is no JSON', 401, 'no', 'needsAuthorization', false],
] as const)
  test(`${what} is ${kind}`, () => {
    const error = graphRefusal(answer(status), text);
    assert.deepEqual([error.kind, error.retryable], [kind, retryable]);
    assert.ok(!error.message.includes('secret'));
  });

test('the wait is the longest of the reported ones, and absent when it is invalid', () => {
  const waitOf = (usage: string) => graphRefusal(answer(400, { 'x-business-use-case-usage': usage }), body(4)).retryAfter;
  assert.equal(waitOf('{"1":[{"type":"pages","estimated_time_to_regain_access":3}],"2":[{"estimated_time_to_regain_access":7}]}'), 420_000);
  assert.equal(waitOf('{"1":[{}]}'), undefined);
  assert.equal(waitOf('nonsense'), undefined);
});
