import assert from 'node:assert/strict';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, describe, test } from 'node:test';
import { Type } from 'typebox';
import type { Tokens } from '../../core/definition.ts';
import { createDialer } from '../net/dialer.ts';
import { basicAuthorization, oauth } from '../oauth/oauth.ts';
import { createApi } from './api.ts';
import { refusalOf } from './refusal.ts';

const signal = AbortSignal.timeout(60_000);
const dialer = createDialer({ privateNetworks: 'allow' });
const nothing = { remember: async () => undefined, recall: async () => undefined };

async function serve(t: TestContext, handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns `old` until it is refused, then `new`. */
const tokens: Tokens = { access: async (_, refused) => (refused === undefined ? 'old' : 'new') };
const apiAt = (base: string, given: Tokens | undefined = tokens) =>
  createApi({ env: { dialer, ...nothing, ...(given && { tokens: given }) }, base, refusal: (response) => refusalOf(response) });
const Answer = Type.Object({ ok: Type.Boolean() });

describe('a provider’s API', () => {
  test('sends the token, and another one once when it is rejected', async (t) => {
    const seen: unknown[] = [];
    const base = await serve(t, ({ headers, url }, response) => {
      seen.push([url, headers.authorization]);
      response.statusCode = headers.authorization === 'Bearer new' ? 200 : 401;
      response.end('{"ok":true,"more":1}');
    });
    const api = apiAt(`${base}/v1`);
    const answer = await api.json(Answer, { method: 'GET', url: '/things', query: { q: 'a b&c', none: undefined, n: 3 }, signal });
    assert.equal(answer.ok, true);
    assert.deepEqual(seen, [
      ['/v1/things?q=a%20b%26c&n=3', 'Bearer old'],
      ['/v1/things?q=a%20b%26c&n=3', 'Bearer new'],
    ]);
    api.close();
  });

  test('reports that authorization is needed when a new token is rejected as well', async (t) => {
    const base = await serve(t, (_, response) => response.writeHead(401).end());
    await assert.rejects(apiAt(base).done({ method: 'GET', url: '/', signal }), { kind: 'needsAuthorization' });
  });

  test('does not resend a body that is already consumed', async (t) => {
    let asked = 0;
    const base = await serve(t, (request, response) => {
      asked += 1;
      request.resume().on('end', () => response.writeHead(401).end());
    });
    const upload = apiAt(base).done({ method: 'PUT', url: '/file', body: Readable.from([Buffer.from('bytes')]), size: 5, signal });
    await assert.rejects(upload, { kind: 'unauthorized' });
    assert.equal(asked, 1);
  });

  test('follows a redirect to another host without the token', async (t) => {
    const other = await serve(t, ({ headers }, response) => response.end(JSON.stringify({ ok: headers.authorization === undefined })));
    const base = await serve(t, (_, response) => response.writeHead(302, { location: `${other}/bytes` }).end());
    assert.equal((await apiAt(base).json(Answer, { method: 'GET', url: '/file', signal })).ok, true);
  });

  test('follows no redirect loop and no other scheme', async (t) => {
    const base = await serve(t, ({ url }, response) => {
      response.writeHead(302, { location: url === '/circle' ? '/circle' : 'file:///etc/passwd' }).end();
    });
    await assert.rejects(apiAt(base).done({ method: 'GET', url: '/circle', signal }), { kind: 'unexpected' });
    await assert.rejects(apiAt(base).done({ method: 'GET', url: '/scheme', signal }), { kind: 'unexpected' });
  });

  test('reports how long to wait, and rejects a response of another shape', async (t) => {
    const base = await serve(t, ({ url }, response) => {
      if (url === '/busy') response.writeHead(429, { 'retry-after': '7' }).end();
      else response.end('{"ok":"yes"}');
    });
    const api = apiAt(base);
    await assert.rejects(api.done({ method: 'GET', url: '/busy', signal }), { kind: 'rateLimited', retryable: true, retryAfter: 7000 });
    await assert.rejects(api.json(Answer, { method: 'GET', url: '/odd', signal }), { kind: 'unexpected' });
  });
});

describe('authorization by OAuth 2.0', () => {
  const facts = {
    authUrl: () => 'https://provider.example/authorize?fixed=1',
    tokenUrl: () => 'https://provider.example/token',
    scopes: () => ['files.read', 'offline'],
    pkce: true,
    identify: async () => ({}),
  } as const;

  test('the browser is redirected with state, challenge and scopes, never with the client secret', () => {
    const { authorizeUrl } = oauth({ ...facts, clientAuth: 'body', parameters: () => ({ access_type: 'offline' }) });
    const ask = { provider: 'X', redirectUri: 'https://sheaf.example/oauth', state: 's&t', challenge: 'c', prompt: false };
    const url = new URL(authorizeUrl(ask, { dialer, app: { clientId: 'me', clientSecret: 'hush' } }));
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      fixed: '1',
      response_type: 'code',
      client_id: 'me',
      redirect_uri: 'https://sheaf.example/oauth',
      state: 's&t',
      scope: 'files.read offline',
      code_challenge: 'c',
      code_challenge_method: 'S256',
      access_type: 'offline',
    });
    assert.doesNotMatch(url.href, /hush/);
  });

  test('codes are redeemed and refresh tokens used with the client authentication of the provider', async (t) => {
    const seen: { form: Record<string, string>; authorization: string | undefined }[] = [];
    const tokenUrl = await serve(t, (request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        seen.push({ form: Object.fromEntries(new URLSearchParams(body)), authorization: request.headers.authorization });
        const refresh = seen.length === 1 ? { refresh_token: 'r1' } : {};
        response.end(JSON.stringify({ access_token: `a${seen.length}`, expires_in: 3600, account_id: 'me', ...refresh }));
      });
    });
    const env = { dialer, app: { clientId: 'id', clientSecret: 's:cret', tokenUrl } };
    const byBasic = oauth({ ...facts, clientAuth: 'basic' });
    const redeemed = await byBasic.redeem({ provider: 'X', code: 'c', redirectUri: 'https://x/oauth', verifier: 'v' }, env, signal);
    assert.equal(redeemed.grant.refreshToken, 'r1');
    assert.ok(Math.abs((redeemed.grant.expiresAt ?? 0) - Date.now() - 3_600_000) < 10_000);
    assert.deepEqual(redeemed.extra, { account_id: 'me' });
    const renewed = await oauth({ ...facts, clientAuth: 'body' }).renew?.(redeemed.grant, 'X', env, signal);
    assert.equal(renewed?.accessToken, 'a2');
    assert.equal(renewed?.refreshToken, 'r1', 'a refresh token that is not replaced is kept');
    assert.deepEqual(seen, [
      {
        form: { grant_type: 'authorization_code', code: 'c', redirect_uri: 'https://x/oauth', code_verifier: 'v' },
        authorization: basicAuthorization('id', 's:cret'),
      },
      { form: { grant_type: 'refresh_token', refresh_token: 'r1', client_id: 'id', client_secret: 's:cret' }, authorization: undefined },
    ]);
  });

  test('refusals are distinguished: the code, the refresh token, the application, and a failing provider', async (t) => {
    let answer = { status: 400, error: 'invalid_grant' };
    const tokenUrl = await serve(t, (_, response) => response.writeHead(answer.status).end(JSON.stringify({ error: answer.error })));
    const env = { dialer, app: { clientId: 'id', tokenUrl } };
    const authorization = oauth({ ...facts, clientAuth: 'body' });
    const redeem = () => authorization.redeem({ provider: 'X', code: 'c', redirectUri: 'https://x/oauth', verifier: 'v' }, env, signal);
    const renew = async (refreshToken?: string) =>
      authorization.renew?.({ accessToken: 'a', ...(refreshToken !== undefined && { refreshToken }) }, 'X', env, signal);
    await assert.rejects(redeem(), { kind: 'unauthorized' });
    await assert.rejects(renew('r'), { kind: 'needsAuthorization' });
    await assert.rejects(renew(), { kind: 'needsAuthorization' });
    answer = { status: 401, error: 'invalid_client' };
    await assert.rejects(renew('r'), { kind: 'appRefused' });
    answer = { status: 503, error: '' };
    await assert.rejects(renew('r'), { kind: 'rateLimited', retryable: true });
  });
});
