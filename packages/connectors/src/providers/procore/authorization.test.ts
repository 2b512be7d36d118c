import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Procore, startProcore } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { openProcore } from './connector.ts';
import { procore } from './index.ts';
import { ask, authorization, namesIn, open } from './testing/opening.ts';

const redirectUri = 'https://sheaf.example/oauth';
const provider = 'Procore';

describe('Procore', () => {
  let server: Procore;
  before(async () => {
    server = await startProcore();
    server.oauth.register(redirectUri);
  });
  afterEach(() => {
    server.assertClean();
    server.reset();
  });
  after(() => server.stop());

  const envOf = (app: object = {}) => testEnv({ app: { ...server.app, ...app } });

  async function allowed(person: Parameters<Procore['oauth']['visit']>[1] = server.people.mara): Promise<URL> {
    const url = authorization.authorizeUrl({ provider, redirectUri, state: 'state-1', challenge: '', prompt: true }, envOf());
    return new URL(await server.oauth.visit(url, person));
  }
  const redeem = (back: URL, app: object = {}) =>
    authorization.redeem({ provider, code: back.searchParams.get('code') ?? '', redirectUri, verifier: '' }, envOf(app), ask().signal);

  test('a user authorizes Sheaf, is identified by id and login, and the documents open', async () => {
    const back = await allowed();
    assert.equal(back.searchParams.get('state'), 'state-1');
    const redeemed = await redeem(back);
    const info = await authorization.identify(redeemed, provider, envOf(), ask().signal);
    assert.deepEqual(info, { userId: '1001', login: 'mara@sheaf.example' });
    assert.equal(procore.account(procore.parse(info, provider)), 'mara@sheaf.example');
    const connector = openProcore(testEnv({ app: server.app, grant: redeemed.grant, authorization, provider }));
    assert.ok((await namesIn(connector, '/')).includes('Harbour Builders'));
  });

  test('by default the URLs are those of Procore, without scopes and PKCE, which it does not support', () => {
    const request = { provider, redirectUri, state: 's', challenge: 'c', prompt: true };
    const url = new URL(authorization.authorizeUrl(request, testEnv({ app: { clientId: 'id' } })));
    assert.equal(url.origin + url.pathname, 'https://login.procore.com/oauth/authorize');
    assert.deepEqual([...url.searchParams.keys()].sort(), ['client_id', 'redirect_uri', 'response_type', 'state']);
    assert.equal(authorization.usesPkce, false);
  });

  test('a user who declines returns without a code', async () => {
    assert.equal((await allowed('declines')).searchParams.get('error'), 'access_denied');
  });

  test('a code is refused the second time, when it is old, and from another application', async () => {
    const first = await allowed();
    await assert.rejects(redeem(first, { clientSecret: 'wrong' }), { kind: 'appRefused' });
    await redeem(first);
    await assert.rejects(redeem(first), { kind: 'unauthorized' });
    const late = await allowed();
    server.oauth.advance(601);
    await assert.rejects(redeem(late), { kind: 'unauthorized' });
  });

  test('each renewal gives another refresh token, and using the old one ends the grant', async () => {
    const { grant } = await redeem(await allowed());
    const renew = authorization.renew ?? assert.fail('no renewal');
    const next = await renew(grant, provider, envOf(), ask().signal);
    assert.notEqual(next.refreshToken, grant.refreshToken);
    assert.ok((next.expiresAt ?? 0) > Date.now());
    await assert.rejects(renew(grant, provider, envOf(), ask().signal), { kind: 'needsAuthorization' });
  });

  test('a grant revoked by Sheaf or by the user needs authorization', async () => {
    const { grant } = await redeem(await allowed());
    await authorization.revoke?.(grant, provider, envOf(), ask().signal);
    await assert.rejects(async () => authorization.renew?.(grant, provider, envOf(), ask().signal), { kind: 'needsAuthorization' });
    const connector = open(server);
    await namesIn(connector, '/');
    server.oauth.revokeAccount(server.people.mara.email);
    await assert.rejects(namesIn(connector, '/'), { kind: 'needsAuthorization' });
  });

  test('twenty concurrent requests with an expired token renew it once', async () => {
    const connector = open(server, { seconds: 60 });
    const before = server.oauth.refreshes();
    await Promise.all(Array.from({ length: 20 }, () => namesIn(connector, '/')));
    assert.equal(server.oauth.refreshes() - before, 1);
  });
});
