import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Autodesk, startAutodesk } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { openAutodesk } from './connector.ts';
import { autodesk } from './index.ts';
import { ask, authorization, get, listed, namesIn, open, put, quay } from './testing/opening.ts';

const redirectUri = 'https://sheaf.example/oauth';
const provider = 'Autodesk';

describe('Autodesk', () => {
  let server: Autodesk;
  before(async () => {
    server = await startAutodesk();
    server.oauth.register(redirectUri);
  });
  afterEach(() => {
    server.assertClean();
    server.reset();
  });
  after(() => server.stop());

  const envOf = (app: object = {}) => testEnv({ app: { ...server.app, ...app } });

  /** Returns the callback query after Mara is asked for consent. */
  async function allowed(person: Parameters<Autodesk['oauth']['visit']>[1] = server.people.mara) {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const url = authorization.authorizeUrl({ provider, redirectUri, state: 'state-1', challenge, prompt: true }, envOf());
    const back = new URL(await server.oauth.visit(url, person));
    return { code: back.searchParams.get('code') ?? '', verifier, back };
  }
  const redeem = ({ code, verifier }: { code: string; verifier: string }, app: object = {}) =>
    authorization.redeem({ provider, code, redirectUri, verifier }, envOf(app), ask().signal);

  test('a user authorizes Sheaf, is identified by id and e-mail address, and the files open', async () => {
    const answer = await allowed();
    assert.equal(answer.back.searchParams.get('state'), 'state-1');
    const redeemed = await redeem(answer);
    const info = await authorization.identify(redeemed, provider, envOf(), ask().signal);
    assert.deepEqual(info, { userId: 'MARA01', email: 'mara@sheaf.example' });
    assert.equal(autodesk.account(autodesk.parse(info, provider)), 'mara@sheaf.example');
    const connector = openAutodesk(testEnv({ app: server.app, grant: redeemed.grant, authorization, provider }));
    assert.deepEqual(await namesIn(connector, '/'), ['Harbour Works', 'Sheaf Team']);
  });

  test('by default the URLs are those of Autodesk, with scopes for files and the account only', () => {
    const ask = { provider, redirectUri, state: 's', challenge: 'c', prompt: false };
    const url = new URL(authorization.authorizeUrl(ask, testEnv({ app: { clientId: 'id' } })));
    assert.equal(url.origin + url.pathname, 'https://developer.api.autodesk.com/authentication/v2/authorize');
    assert.equal(url.searchParams.get('scope'), 'data:read data:write data:create user-profile:read');
    assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
    assert.equal(url.searchParams.get('prompt'), null);
  });

  test('a user who declines returns without a code', async () => {
    const { back } = await allowed('declines');
    assert.equal(back.searchParams.get('error'), 'access_denied');
  });

  test('a code is refused the second time, with another verifier, and by another application', async () => {
    const first = await allowed();
    await assert.rejects(redeem({ ...first, verifier: randomBytes(32).toString('base64url') }), { kind: 'unauthorized' });
    await assert.rejects(redeem(first, { clientSecret: 'wrong' }), { kind: 'appRefused' });
    await redeem(first);
    await assert.rejects(redeem(first), { kind: 'unauthorized' });
  });

  test('an application without a secret authenticates by PKCE, renews and revokes', async () => {
    const app = { clientSecret: '' };
    const { grant } = await redeem(await allowed(), app);
    const next = (await authorization.renew?.(grant, provider, envOf(app), ask().signal)) ?? assert.fail('no renewal');
    await authorization.revoke?.(next, provider, envOf(app), ask().signal);
    await assert.rejects(async () => authorization.renew?.(next, provider, envOf(app), ask().signal), { kind: 'needsAuthorization' });
  });

  test('each renewal gives another refresh token, and using the old one ends the grant', async () => {
    const { grant } = await redeem(await allowed());
    const renew = authorization.renew ?? assert.fail('no renewal');
    const next = await renew(grant, provider, envOf(), ask().signal);
    assert.notEqual(next.refreshToken, grant.refreshToken);
    assert.ok((next.expiresAt ?? 0) > Date.now());
    await assert.rejects(renew(grant, provider, envOf(), ask().signal), { kind: 'needsAuthorization' });
  });

  test('a grant unused for 15 days needs authorization', async () => {
    const { grant } = await redeem(await allowed());
    server.oauth.advance(15 * 24 * 60 * 60 + 1);
    await assert.rejects(async () => authorization.renew?.(grant, provider, envOf(), ask().signal), { kind: 'needsAuthorization' });
  });

  test('a grant revoked by Sheaf or by the user needs authorization', async () => {
    const { grant } = await redeem(await allowed());
    await authorization.revoke?.(grant, provider, envOf(), ask().signal);
    await assert.rejects(async () => authorization.renew?.(grant, provider, envOf(), ask().signal), { kind: 'needsAuthorization' });
    const connector = open(server);
    await listed(connector, '/');
    server.oauth.revokeAccount(server.people.mara.email);
    await assert.rejects(listed(connector, '/'), { kind: 'needsAuthorization' });
  });

  test('twenty concurrent requests with an expired token renew it once', async () => {
    const connector = open(server, { seconds: 60 });
    const before = server.oauth.refreshes();
    await Promise.all(Array.from({ length: 20 }, () => listed(connector, '/')));
    assert.equal(server.oauth.refreshes() - before, 1);
  });

  test('a token without a scope needs authorization where the scope is needed, and reads where it is not', async () => {
    const connector = open(server, { scopes: ['data:read'] });
    assert.ok((await get(connector, `${quay}/Read me.txt`)).length > 0);
    await assert.rejects(put(connector, `${quay}/new`, 'x'), { kind: 'needsAuthorization' });
  });
});
