import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { testEnv } from '../../conformance/env.ts';
import { ConnectorError } from '../../core/error.ts';
import { longGrant, renewedOrKept } from '../../providers/meta/graph/meta-token.ts';
import { oauth } from './oauth.ts';

/** Renews a grant at a token endpoint that sends this response. */
async function renewedAt(t: TestContext, status: number, text: string) {
  const server = createServer((request, response) => request.resume().on('end', () => response.writeHead(status).end(text)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  const { renew } = oauth({
    authUrl: () => tokenUrl,
    tokenUrl: () => tokenUrl,
    scopes: () => [],
    pkce: true,
    clientAuth: 'body',
    identify: () => Promise.resolve({}),
  });
  return renew?.({ accessToken: 'old', refreshToken: 'secret' }, 'Any', testEnv(), AbortSignal.timeout(10_000));
}

for (const [what, status, text, kind, retryable] of [
  ['the provider refuses it', 400, '{"error":"invalid_grant"}', 'needsAuthorization', false],
  ['the provider refuses it in words of its own', 401, '{"errorCode":"AUTH-004"}', 'needsAuthorization', false],
  ['the provider refuses it without a word', 401, '', 'needsAuthorization', false],
  ['the provider refuses the application', 401, '{"error":"invalid_client"}', 'appRefused', false],
  ['a proxy refuses the way', 403, '<html><body>Blocked</body></html>', 'unreachable', true],
  ['a network asks to sign in first', 401, '<!doctype html><title>Guest network</title>', 'unreachable', true],
  ['a proxy knows no such host', 404, 'Unknown host', 'unreachable', true],
  ['the provider cannot look at it now', 400, '{"error":"temporarily_unavailable"}', 'unreachable', true],
  ['the provider has failed', 400, '{"error":"server_error"}', 'unreachable', true],
  ['the provider is busy', 429, 'Too many requests', 'rateLimited', true],
  ['the provider is down', 503, '<html>', 'rateLimited', true],
] as const)
  test(`a renewal is ${kind} when ${what}`, async (t) => {
    await assert.rejects(renewedAt(t, status, text), { kind, retryable });
  });

test('a grant with half of its time left stays in use while the service does not respond', async () => {
  const grant = longGrant('old', 1000);
  for (const [kind, retryable] of [
    ['unreachable', true],
    ['aborted', false],
  ] as const)
    assert.equal(await renewedOrKept(grant, () => Promise.reject(new ConnectorError(kind, 'no answer', { retryable }))), grant);
  const refused = () => Promise.reject(new ConnectorError('needsAuthorization', 'refused'));
  await assert.rejects(renewedOrKept(grant, refused), { kind: 'needsAuthorization' });
});
