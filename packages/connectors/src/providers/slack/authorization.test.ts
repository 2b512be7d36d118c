import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Slack, startSlack } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { slack } from './index.ts';

const client = { id: '1000.2000', secret: 'a secret/+', redirectUris: ['https://sheaf.example/oauth'] };
const redirectUri = 'https://sheaf.example/oauth';
const signal = () => AbortSignal.timeout(20_000);
const authorization = slack.authorization ?? assert.fail('Slack has no authorization');
const renew = authorization.renew ?? assert.fail('grants cannot be renewed');

let server: Slack;
before(async () => {
  server = await startSlack({ client });
});
after(async () => {
  server.assertClean();
  await server.stop();
});

const authorizeUrl = (env: ReturnType<typeof testEnv>) =>
  authorization.authorizeUrl({ provider: 'Slack', redirectUri, state: 's1', challenge: 'unused', prompt: false }, env);

/** Simulates a user's consent; returns the code. */
async function allowed(slackServer: Slack): Promise<string> {
  const back = new URL(await slackServer.oauth.visit(authorizeUrl(testEnv({ app: slackServer.app })), { email: 'mara@example.org' }));
  assert.equal(back.searchParams.get('state'), 's1');
  return back.searchParams.get('code') ?? assert.fail('no code');
}
const redeem = (slackServer: Slack, code: string, app = slackServer.app) =>
  authorization.redeem({ provider: 'Slack', code, redirectUri, verifier: 'unused' }, testEnv({ app }), signal());

test("the user's scopes are requested, none of a bot, and the response contains the workspace and the user", async () => {
  const url = new URL(authorizeUrl(testEnv()));
  assert.equal(url.origin + url.pathname, 'https://slack.com/oauth/v2/authorize');
  assert.equal(url.searchParams.get('scope'), null);
  assert.deepEqual(url.searchParams.get('user_scope')?.split(','), authorization.scopes('Slack'));
  const env = testEnv({ app: server.app });
  const info = await authorization.identify(await redeem(server, await allowed(server)), 'Slack', env, signal());
  const config = slack.parse(info, 'Slack');
  assert.equal(slack.account(config), 'mara at 127.0.0.1');
  assert.equal(slack.identity(config), 'slack T0SHEAF U0MARA');
});

test('a person who declines returns without a code', async () => {
  const back = new URL(await server.oauth.visit(authorizeUrl(testEnv({ app: server.app })), 'declines'));
  assert.equal(back.searchParams.get('error'), 'access_denied');
});

test('a code works once, and a wrong secret is the fault of the application', async () => {
  const code = await allowed(server);
  await assert.rejects(redeem(server, code, { ...server.app, clientSecret: 'wrong' }), { kind: 'appRefused' });
  await redeem(server, code);
  await assert.rejects(redeem(server, code), { kind: 'unauthorized' });
  await assert.rejects(redeem(server, 'invented'), { kind: 'unauthorized' });
});

test('a grant is renewed with a refresh token that is valid once', async () => {
  const env = testEnv({ app: server.app });
  const { grant } = await redeem(server, await allowed(server));
  assert.ok(Math.abs((grant.expiresAt ?? 0) - Date.now() - 43_200_000) < 60_000);
  const next = await renew(grant, 'Slack', env, signal());
  assert.notEqual(next.accessToken, grant.accessToken);
  assert.notEqual(next.refreshToken, grant.refreshToken);
  await assert.rejects(renew(grant, 'Slack', env, signal()), { kind: 'needsAuthorization' });
});

test('a revoked grant is refused', async () => {
  const env = testEnv({ app: server.app });
  const redeemed = await redeem(server, await allowed(server));
  await authorization.revoke?.(redeemed.grant, 'Slack', env, signal());
  await assert.rejects(authorization.identify(redeemed, 'Slack', env, signal()), { kind: 'needsAuthorization' });
});

test('without token rotation a grant does not expire and is not renewed', async (t) => {
  const plain = await startSlack({ client, rotation: false });
  t.after(() => plain.stop());
  const { grant } = await redeem(plain, await allowed(plain));
  assert.deepEqual(Object.keys(grant), ['accessToken']);
  await assert.rejects(renew(grant, 'Slack', testEnv({ app: plain.app }), signal()), { kind: 'needsAuthorization' });
});

test('connection info without the workspace or the user is refused', () => {
  for (const field of ['teamId', 'userId', 'account'])
    assert.throws(() => slack.parse({ teamId: 'T', userId: 'U', account: 'a', [field]: '' }, 'Slack'), {
      kind: 'badConfig',
      details: { field },
    });
});
