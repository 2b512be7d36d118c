import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Facebook, startFacebook } from '@sheaf/testbed';
import { testEnv } from '../../../conformance/env.ts';
import { facebook } from './index.ts';

const redirectUri = 'https://sheaf.example/oauth';
const client = { id: '4711', secret: 'a secret/+', redirectUris: [redirectUri] };
const signal = () => AbortSignal.timeout(20_000);
const authorization = facebook.authorization ?? assert.fail('Facebook has no authorization');
const renew = authorization.renew ?? assert.fail('grants cannot be renewed');
const day = 86_400_000;

let server: Facebook;
before(async () => {
  server = await startFacebook({ client });
});
after(async () => {
  server.assertClean();
  await server.stop();
});

const authorizeUrl = (env: ReturnType<typeof testEnv>) =>
  authorization.authorizeUrl({ provider: 'Facebook', redirectUri, state: 's1', challenge: 'unused', prompt: false }, env);
async function allowed(): Promise<string> {
  const back = new URL(await server.oauth.visit(authorizeUrl(testEnv({ app: server.app })), { email: 'mara@example.org' }));
  return back.searchParams.get('code') ?? assert.fail('no code');
}
const redeem = (code: string, app = server.app) =>
  authorization.redeem({ provider: 'Facebook', code, redirectUri, verifier: 'unused' }, testEnv({ app }), signal());

test('a code becomes a token for sixty days, which counts as old after thirty', async () => {
  const url = new URL(authorizeUrl(testEnv()));
  assert.equal(url.origin + url.pathname, 'https://www.facebook.com/v25.0/dialog/oauth');
  assert.equal(url.searchParams.get('scope'), 'public_profile,user_photos,user_videos');
  const redeemed = await redeem(await allowed());
  assert.equal(redeemed.grant.refreshToken, undefined);
  assert.ok(Math.abs((redeemed.grant.expiresAt ?? 0) - Date.now() - 30 * day) < 60_000);
  const info = await authorization.identify(redeemed, 'Facebook', testEnv({ app: server.app }), signal());
  const config = facebook.parse(info, 'Facebook');
  assert.deepEqual([facebook.account(config), facebook.identity(config)], ['Mara Lind', 'facebook 1021']);
});

test('a valid token is exchanged for a newer one, an expired one is not', async () => {
  const env = testEnv({ app: server.app });
  const { grant } = await redeem(await allowed());
  const next = await renew(grant, 'Facebook', env, signal());
  assert.notEqual(next.accessToken, grant.accessToken);
  server.oauth.expireAll();
  await assert.rejects(renew(next, 'Facebook', env, signal()), { kind: 'needsAuthorization' });
});

test('while Facebook cannot answer, a token that is still valid stays in use', async () => {
  const { grant } = await redeem(await allowed());
  const fails = { status: 503, json: { error: { message: 'later', type: 'OAuthException', code: 2 } } };
  server.faults.next('POST /oauth/access_token', 1, { kind: 'reply', reply: fails });
  assert.deepEqual(await renew(grant, 'Facebook', testEnv({ app: server.app }), signal()), grant);
});

test('a code works once, a wrong secret is the fault of the application, and a user who declines returns without a code', async () => {
  const code = await allowed();
  await assert.rejects(redeem(code, { ...server.app, clientSecret: 'wrong' }), { kind: 'appRefused' });
  await redeem(code);
  await assert.rejects(redeem(code), { kind: 'unauthorized' });
  const back = new URL(await server.oauth.visit(authorizeUrl(testEnv({ app: server.app })), 'declines'));
  assert.equal(back.searchParams.get('error'), 'access_denied');
});

test('a revoked grant is refused', async () => {
  const env = testEnv({ app: server.app });
  const redeemed = await redeem(await allowed());
  await authorization.revoke?.(redeemed.grant, 'Facebook', env, signal());
  await assert.rejects(authorization.identify(redeemed, 'Facebook', env, signal()), { kind: 'needsAuthorization' });
});

test('connection info without the user is refused', () => {
  assert.throws(() => facebook.parse({ name: 'Mara' }, 'Facebook'), { kind: 'badConfig', details: { field: 'userId' } });
});
