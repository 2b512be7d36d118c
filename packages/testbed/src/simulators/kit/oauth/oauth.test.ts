import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { client, startExample } from '../description/example.ts';
import { type OAuthOptions, tokenError } from '../index.ts';

const email = 'noor@example.org';
const redirectUri = client.redirectUris[0] ?? '';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
  readonly scope?: string;
  readonly error?: string;
}

async function start(t: TestContext, options: Partial<OAuthOptions> = {}) {
  const example = await startExample({}, options);
  t.after(() => example.stop());
  const { url, oauth } = example;
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const ask: Readonly<Record<string, string>> = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    state: 's&1',
    scope: 'read write',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  const credentials = { client_id: client.id, client_secret: client.secret };
  const addressOf = (change: Readonly<Record<string, string | undefined>> = {}): string => {
    const fields = Object.entries({ ...ask, ...change }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    return `${url}/auth/common/authorize?${new URLSearchParams(fields).toString()}`;
  };
  const codeOf = async (change?: Readonly<Record<string, string | undefined>>): Promise<string> =>
    new URL(await oauth.visit(addressOf(change), { email })).searchParams.get('code') ?? '';
  const token = async (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${url}/auth/token`, { method: 'POST', body: new URLSearchParams(fields), headers });
    return { status: answer.status, ...((await answer.json()) as Tokens) };
  };
  return {
    ...example,
    verifier,
    credentials,
    addressOf,
    codeOf,
    token,
    exchange: (code: string, change: Readonly<Record<string, string>> = {}) =>
      token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier, ...credentials, ...change }),
    refresh: (refreshToken: string | undefined) =>
      token({ grant_type: 'refresh_token', refresh_token: refreshToken ?? '', ...credentials }),
    call: async (accessToken: string, method = 'GET') =>
      (await fetch(`${url}/api/files/1`, { method, headers: { authorization: `Bearer ${accessToken}` } })).status,
  };
}

test('a person who allows is sent back with a code that gives tokens of what they allowed', async (t) => {
  const { oauth, addressOf, exchange, call, simulator } = await start(t);
  const back = new URL(await oauth.visit(addressOf({ scope: 'read', prompt: 'consent' }), { email }));
  assert.equal(back.origin + back.pathname, new URL(redirectUri).origin + new URL(redirectUri).pathname);
  assert.deepEqual([back.searchParams.get('kept'), back.searchParams.get('state')], ['1', 's&1']);
  const tokens = await exchange(back.searchParams.get('code') ?? '');
  assert.deepEqual([tokens.status, tokens.expires_in, tokens.scope], [200, 3600, 'read']);
  assert.equal(await call(tokens.access_token), 200);
  assert.equal(oauth.check(tokens.access_token) instanceof Object, true);
  simulator.assertClean();
});

test('the page names the client, the scopes and the accounts, and nothing on it can run', async (t) => {
  const { addressOf } = await start(t);
  const shown = await fetch(addressOf({ login_hint: email }));
  const page = await shown.text();
  assert.match(shown.headers.get('content-type') ?? '', /^text\/html/);
  for (const text of ['<strong>Sheaf</strong>', '<code>read</code>', '<code>write</code>', 'Noor &lt;&amp;&gt;'])
    assert.ok(page.includes(text), text);
  assert.match(page, /value="noor@example.org" checked/);
  assert.doesNotMatch(page, /<script|value="mara@example.org" checked/);
});

test('a person who declines is sent back with access_denied and the state', async (t) => {
  const { oauth, addressOf } = await start(t);
  const { searchParams } = new URL(await oauth.visit(addressOf(), 'declines'));
  assert.deepEqual([searchParams.get('error'), searchParams.get('state'), searchParams.get('code')], ['access_denied', 's&1', null]);
});

test('nobody is sent to an address that is not registered, nor for a client that is not known', async (t) => {
  const { oauth, addressOf } = await start(t);
  for (const change of [{ redirect_uri: 'http://evil.example/' }, { client_id: 'other' }])
    await assert.rejects(oauth.visit(addressOf(change), { email }), /answered 400/);
  oauth.register('http://127.0.0.1:2/second');
  assert.match(
    await oauth.visit(addressOf({ redirect_uri: 'http://127.0.0.1:2/second' }), { email }),
    /^http:\/\/127\.0\.0\.1:2\/second\?code=/,
  );
});

for (const [what, change, error] of [
  ['an unknown scope', { scope: 'read admin' }, 'invalid_scope'],
  ['no scope', { scope: undefined }, 'invalid_scope'],
  ['no code challenge', { code_challenge: undefined }, 'invalid_request'],
] as const)
  test(`${what} sends the person back with ${error}`, async (t) => {
    const { oauth, addressOf } = await start(t);
    assert.equal(new URL(await oauth.visit(addressOf(change), { email })).searchParams.get('error'), error);
  });

for (const [what, change] of [
  ['without a state', { state: undefined }],
  ['with a parameter that the provider does not have', { colour: 'red' }],
  ['with a value that the provider does not take', { prompt: 'shout' }],
] as const)
  test(`a request ${what} is a violation`, async (t) => {
    const { oauth, addressOf, simulator } = await start(t);
    await assert.rejects(oauth.visit(addressOf(change), { email }), /answered 400/);
    assert.equal(simulator.violations.length, 1);
  });

test('a code is good once: a second use also ends what the first one gave', async (t) => {
  const { codeOf, exchange, call } = await start(t);
  const code = await codeOf();
  const first = await exchange(code);
  assert.equal(await call(first.access_token), 200);
  const second = await exchange(code);
  assert.deepEqual([second.status, second.error], [400, 'invalid_grant']);
  assert.equal(await call(first.access_token), 401);
});

test('a code expires', async (t) => {
  const { codeOf, exchange, oauth } = await start(t, { codeSeconds: 60 });
  const code = await codeOf();
  oauth.advance(61);
  assert.equal((await exchange(code)).error, 'invalid_grant');
});

test('a code is refused with a wrong verifier, redirect address or secret', async (t) => {
  const { codeOf, exchange } = await start(t);
  const code = await codeOf();
  assert.equal((await exchange(code, { code_verifier: 'x'.repeat(43) })).error, 'invalid_grant');
  assert.equal((await exchange(code, { redirect_uri: 'http://127.0.0.1:1/back' })).error, 'invalid_grant');
  const wrong = await exchange(code, { client_secret: 'wrong' });
  assert.deepEqual([wrong.status, wrong.error], [401, 'invalid_client']);
  assert.equal((await exchange(code)).status, 200);
});

test('the secret may stand in a Basic header where the provider takes it, and be left out by a public client', async (t) => {
  const { codeOf, token, verifier } = await start(t);
  const fields = { grant_type: 'authorization_code', redirect_uri: redirectUri, code_verifier: verifier };
  const basic = Buffer.from([client.id, client.secret].map(encodeURIComponent).join(':')).toString('base64');
  assert.equal((await token({ ...fields, code: await codeOf() }, { authorization: `Basic ${basic}` })).status, 200);
  assert.equal((await token({ ...fields, code: await codeOf(), client_id: client.id })).status, 401);
  const open = await start(t, { publicClient: true, clientAuth: ['body'] });
  const bare = { ...fields, code_verifier: open.verifier, client_id: client.id };
  assert.equal((await open.token({ ...bare, code: await open.codeOf() })).status, 200);
  assert.equal((await open.token({ ...fields, code: await open.codeOf() }, { authorization: `Basic ${basic}` })).status, 401);
});

test('a single-use refresh token gives the next one, and used again ends everything', async (t) => {
  const { codeOf, exchange, refresh, call, oauth } = await start(t);
  const first = await exchange(await codeOf());
  const second = await refresh(first.refresh_token);
  assert.equal(second.status, 200);
  assert.notEqual(second.refresh_token, first.refresh_token);
  assert.equal(await call(second.access_token), 200);
  assert.equal((await refresh(first.refresh_token)).error, 'invalid_grant');
  assert.equal(await call(second.access_token), 401);
  assert.equal((await refresh(second.refresh_token)).error, 'invalid_grant');
  assert.deepEqual([oauth.refreshes(), oauth.refusedRefreshes()], [1, 2]);
});

test('without rotation a refresh token stays good and none comes back', async (t) => {
  const { refresh, oauth } = await start(t, { rotation: 'none' });
  const { refreshToken } = oauth.grant(email);
  for (const _ of [1, 2]) assert.equal((await refresh(refreshToken)).refresh_token, undefined);
  assert.equal(oauth.refreshes(), 2);
});

test('a kept refresh token stays valid next to the newer one', async (t) => {
  const { refresh, oauth } = await start(t, { rotation: 'kept' });
  const { refreshToken } = oauth.grant(email);
  const newer = await refresh(refreshToken);
  assert.equal((await refresh(refreshToken)).status, 200);
  assert.equal((await refresh(newer.refresh_token)).status, 200);
});

test('a refresh gives no more than was granted', async (t) => {
  const { token, credentials, oauth } = await start(t);
  const { refreshToken = '' } = oauth.grant(email, ['read']);
  const ask = { grant_type: 'refresh_token', refresh_token: refreshToken, ...credentials };
  assert.equal((await token({ ...ask, scope: 'write' })).error, 'invalid_scope');
  assert.equal((await token({ ...ask, scope: 'read' })).status, 200);
});

test('access tokens expire by the clock and by order, and refresh tokens too', async (t) => {
  const { call, refresh, oauth } = await start(t, { refreshSeconds: 7200 });
  const one = oauth.grant(email);
  const other = oauth.grant(email, ['read'], 10_000);
  oauth.advance(3601);
  assert.deepEqual([await call(one.accessToken), await call(other.accessToken)], [401, 200]);
  oauth.expireAll();
  assert.equal(await call(other.accessToken), 401);
  oauth.advance(3600);
  assert.equal((await refresh(one.refreshToken)).error, 'invalid_grant');
});

test('refreshes can be refused as long as a test wants, and be slow', async (t) => {
  const { refresh, oauth } = await start(t);
  const { refreshToken } = oauth.grant(email);
  oauth.refuseRefresh();
  assert.equal((await refresh(refreshToken)).error, 'invalid_grant');
  oauth.refuseRefresh(false);
  oauth.slowToken(120);
  const begin = performance.now();
  assert.equal((await refresh(refreshToken)).status, 200);
  assert.ok(performance.now() - begin > 100);
});

test('a token can be revoked by the client, and all of an account by the person', async (t) => {
  const { url, call, oauth, simulator } = await start(t);
  const [one, other] = [oauth.grant(email), oauth.grant(email)];
  const answer = await fetch(`${url}/auth/revoke`, { method: 'POST', body: new URLSearchParams({ token: one.refreshToken ?? '' }) });
  assert.deepEqual([answer.status, await call(one.accessToken), await call(other.accessToken)], [200, 401, 200]);
  oauth.revokeAccount(email);
  assert.equal(await call(other.accessToken), 401);
  simulator.assertClean();
});

test('a token reaches no further than its scopes, and no token reaches nothing', async (t) => {
  const { call, oauth, url, simulator } = await start(t);
  const { accessToken } = oauth.grant(email, ['read']);
  assert.deepEqual([await call(accessToken), await call(accessToken, 'DELETE'), await call('invented')], [200, 403, 401]);
  assert.equal((await fetch(`${url}/api/files/1`)).status, 401);
  simulator.assertClean();
});

test('a provider says by itself when a refresh token comes, what the answer is, and which grants it has', async (t) => {
  const { codeOf, exchange, token } = await start(t, {
    offline: ({ query, isFirst }) => isFirst || query.get('prompt') === 'consent',
    answer: (standard, { account }) => ({ ...standard, uid: account.id }),
    refuse: (error) => ({ json: { access_token: '', error } }),
    grants: {
      assertion: (fields) => {
        if (fields.get('assertion') !== 'signed') throw tokenError('invalid_grant', 'The assertion is not signed.');
        return { account: { id: 'robot', email: '', name: '' }, scopes: ['read'], offline: false, seconds: 60 };
      },
    },
  });
  const first = await exchange(await codeOf());
  assert.deepEqual([typeof first.refresh_token, (first as unknown as { uid: string }).uid], ['string', 'u2']);
  assert.equal((await exchange(await codeOf())).refresh_token, undefined);
  assert.equal(typeof (await exchange(await codeOf({ prompt: 'consent' }))).refresh_token, 'string');
  assert.deepEqual((await token({ grant_type: 'assertion', assertion: 'signed' })).expires_in, 60);
  const refused = await token({ grant_type: 'assertion', assertion: '' });
  assert.deepEqual([refused.status, refused.error], [200, 'invalid_grant']);
});
