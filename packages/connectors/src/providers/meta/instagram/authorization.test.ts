import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Instagram, startInstagram } from '@sheaf/testbed';
import { testEnv } from '../../../conformance/env.ts';
import { instagram } from './index.ts';

const redirectUri = 'https://sheaf.example/oauth';
const client = { id: '815', secret: 'a secret/+', redirectUris: [redirectUri] };
const signal = () => AbortSignal.timeout(20_000);
const authorization = instagram.authorization ?? assert.fail('Instagram has no authorization');
const renew = authorization.renew ?? assert.fail('grants cannot be renewed');
const day = 86_400_000;

let server: Instagram;
before(async () => {
  server = await startInstagram({ client });
});
after(async () => {
  server.assertClean();
  await server.stop();
});

const authorizeUrl = (env: ReturnType<typeof testEnv>) =>
  authorization.authorizeUrl({ provider: 'Instagram', redirectUri, state: 's1', challenge: 'unused', prompt: false }, env);
async function allowed(): Promise<string> {
  const back = new URL(await server.oauth.visit(authorizeUrl(testEnv({ app: server.app })), { email: 'mara@example.org' }));
  return back.searchParams.get('code') ?? assert.fail('no code');
}
const redeem = (code: string, app = server.app) =>
  authorization.redeem({ provider: 'Instagram', code, redirectUri, verifier: 'unused' }, testEnv({ app }), signal());

test('a code, also with an appended URL fragment, becomes a token for sixty days', async () => {
  const url = new URL(authorizeUrl(testEnv()));
  assert.equal(url.origin + url.pathname, 'https://www.instagram.com/oauth/authorize');
  assert.equal(url.searchParams.get('scope'), 'instagram_business_basic');
  const redeemed = await redeem(`${await allowed()}#_`);
  assert.ok(Math.abs((redeemed.grant.expiresAt ?? 0) - Date.now() - 30 * day) < 60_000);
  const info = await authorization.identify(redeemed, 'Instagram', testEnv({ app: server.app }), signal());
  const config = instagram.parse(info, 'Instagram');
  assert.deepEqual([instagram.account(config), instagram.identity(config)], ['mara.photographs', 'instagram 2002']);
});

test('a token can be renewed from its second day on, and not after it has expired', async () => {
  const env = testEnv({ app: server.app });
  const { grant } = await redeem(await allowed());
  await assert.rejects(renew(grant, 'Instagram', env, signal()), { kind: 'needsAuthorization' });
  server.advance(30 * 86_400);
  const next = await renew(grant, 'Instagram', env, signal());
  assert.notEqual(next.accessToken, grant.accessToken);
  server.advance(61 * 86_400);
  await assert.rejects(renew(next, 'Instagram', env, signal()), { kind: 'needsAuthorization' });
});

test('a code works once, and a user who declines returns without one', async () => {
  const code = await allowed();
  await redeem(code);
  await assert.rejects(redeem(code), { kind: 'unauthorized' });
  const back = new URL(await server.oauth.visit(authorizeUrl(testEnv({ app: server.app })), 'declines'));
  assert.equal(back.searchParams.get('error'), 'access_denied');
});

test('a wrong secret is refused, and only the user can revoke a grant', async () => {
  await assert.rejects(redeem(await allowed(), { ...server.app, clientSecret: 'wrong' }), { kind: 'unauthorized' });
  assert.equal(authorization.revoke, undefined);
});

test('connection info without the user is refused', () => {
  assert.throws(() => instagram.parse({ username: 'mara' }, 'Instagram'), { kind: 'badConfig', details: { field: 'userId' } });
});
