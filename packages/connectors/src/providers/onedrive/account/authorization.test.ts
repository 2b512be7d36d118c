import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { startMicrosoft } from '@sheaf/testbed';
import { testEnv } from '../../../conformance/env.ts';
import { onedrive } from '../index.ts';
import { type Provider, ask, opening } from '../testing/opening.ts';
import { authorization } from './authorization.ts';

const redirectUri = 'http://127.0.0.1:8180/oauth';

async function start(t: TestContext, provider: Provider) {
  const microsoft = await startMicrosoft({ redirectUris: [redirectUri] });
  t.after(() => microsoft.stop());
  const app = microsoft.apps[provider];
  const env = testEnv({ app });
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const url = authorization.authorizeUrl({ provider, redirectUri, state: 'state 1', challenge, prompt: true }, env);
  const oauth = provider === 'OneDrive' ? microsoft.consumers : microsoft.organizations;
  const account = provider === 'OneDrive' ? microsoft.people.mara : microsoft.people.noor;
  const redeem = async (changed: { code?: string; secret?: string } = {}) => {
    const back = new URL(await oauth.visit(url, account));
    assert.equal(back.searchParams.get('state'), 'state 1');
    const code = changed.code ?? back.searchParams.get('code') ?? '';
    const as = changed.secret === undefined ? env : testEnv({ app: { ...app, clientSecret: changed.secret } });
    return authorization.redeem({ provider, code, redirectUri, verifier }, as, ask().signal);
  };
  return { microsoft, oauth, env, url, redeem };
}

for (const provider of ['OneDrive', 'OneDriveForBusiness', 'Sharepoint'] as const)
  test(`${provider}: a grant is redeemed, identifies its account, and is renewed with another refresh token`, async (t) => {
    const { microsoft, oauth, env, url, redeem } = await start(t, provider);
    assert.deepEqual(new URL(url).searchParams.get('scope')?.split(' '), authorization.scopes(provider));
    assert.equal(new URL(url).searchParams.get('prompt'), 'select_account');
    const redeemed = await redeem();
    const info = await authorization.identify(redeemed, provider, env, ask().signal);
    const { id, email } = provider === 'OneDrive' ? microsoft.people.mara : microsoft.people.noor;
    assert.deepEqual(info, { accountId: id, account: email });
    assert.equal(onedrive.account(onedrive.parse(info, provider)), email);
    const renewed = await authorization.renew?.(redeemed.grant, provider, env, ask().signal);
    assert.notEqual(renewed?.accessToken, redeemed.grant.accessToken);
    assert.notEqual(renewed?.refreshToken, redeemed.grant.refreshToken);
    assert.ok((renewed?.expiresAt ?? 0) > Date.now());
    oauth.refuseRefresh();
    await assert.rejects(async () => authorization.renew?.(redeemed.grant, provider, env, ask().signal), { kind: 'needsAuthorization' });
    microsoft.assertClean();
  });

test('a wrong code is refused as such, a wrong secret as the application', async (t) => {
  const { redeem } = await start(t, 'OneDrive');
  await assert.rejects(redeem({ code: 'made up' }), { kind: 'unauthorized' });
  await assert.rejects(redeem({ secret: 'wrong' }), { kind: 'appRefused' });
});

test("by default the URLs are those of the source's tenant", () => {
  const url = (provider: string) =>
    authorization.authorizeUrl({ provider, redirectUri, state: 's', challenge: 'c', prompt: false }, testEnv());
  assert.match(url('OneDrive'), /^https:\/\/login\.microsoftonline\.com\/consumers\/oauth2\/v2\.0\/authorize\?/);
  assert.match(url('OneDriveForBusiness'), /\.com\/organizations\//);
  assert.match(url('Sharepoint'), /\.com\/organizations\/.*Sites\.Read\.All/);
  assert.ok(!url('OneDrive').includes('Sites.'));
});

test('twenty concurrent requests with an expired token renew it once', async (t) => {
  const { microsoft, names } = await opening(t, 'OneDriveForBusiness');
  microsoft.organizations.expireAll();
  microsoft.organizations.slowToken(50);
  await Promise.all(Array.from({ length: 20 }, () => names('/Pictures')));
  assert.equal(microsoft.organizations.refreshes(), 1);
});

test('a token is renewed before it expires', async (t) => {
  const { microsoft, names } = await opening(t, 'OneDrive', { seconds: 30 });
  await names('/');
  assert.equal(microsoft.consumers.refreshes(), 1);
  assert.ok(!microsoft.requests.some(({ status }) => status === 401));
});

test('an account that revokes its grant must authorize again', async (t) => {
  const { microsoft, names } = await opening(t, 'OneDrive');
  microsoft.consumers.revokeAccount(microsoft.people.mara.id);
  await assert.rejects(names('/'), { kind: 'needsAuthorization' });
});

test('a read-only grant reads, and is forbidden to write', async (t) => {
  const { names, get, put, connector } = await opening(t, 'OneDrive', { scopes: ['offline_access', 'User.Read', 'Files.Read.All'] });
  assert.deepEqual(await names('/'), ['Documents', 'Pictures']);
  assert.match((await get('/Documents/Welcome.txt')).toString(), /^Hello mara/);
  for (const size of [10, 5_000_000]) await assert.rejects(put('/new', 'x'.repeat(size)), { kind: 'forbidden' });
  await assert.rejects(async () => connector.createFolder?.('/new', ask()), { kind: 'forbidden' });
  await assert.rejects(async () => connector.remove?.('/Documents', ask()), { kind: 'forbidden' });
});

test('SharePoint without the scope for sites is forbidden', async (t) => {
  const { names } = await opening(t, 'Sharepoint', { scopes: ['offline_access', 'User.Read', 'Files.ReadWrite.All'] });
  await assert.rejects(names('/'), { kind: 'forbidden' });
});
