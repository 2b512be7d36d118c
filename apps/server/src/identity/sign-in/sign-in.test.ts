import assert from 'node:assert/strict';
import { type TestContext, after, test } from 'node:test';
import {
  createAuthCode,
  emailLogin,
  forgotPassword,
  getSession,
  linkIdentity,
  makeToken,
  resetPassword,
  sessionInfo,
  signInWays,
  updateMember,
} from '@sheaf/contract';
import { type Oidc, type OidcPerson, startOidc } from '@sheaf/testbed';
import { type TestApp, type Visitor, testApp } from '#/testing/app.ts';
import { mailedToken, mailsTo } from '#/testing/outbox.ts';

const publicUrl = 'http://sheaf.test';
let provider: Promise<Oidc> | undefined;
const oidc = (): Promise<Oidc> =>
  (provider ??= startOidc({ redirectUris: [`${publicUrl}/login/with/google/callback`, `${publicUrl}/login/with/microsoft/callback`] }));
after(async () => (await provider)?.stop());

async function appWithProvider(t: TestContext): Promise<TestApp> {
  const { issuer, clientId, clientSecret } = await oidc();
  const settings = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ISSUER_URL: issuer };
  const both = ['GOOGLE', 'MICROSOFT'].flatMap((name) =>
    Object.entries(settings).map(([field, value]) => [`SHEAF_${name}_${field}`, value] as const),
  );
  const app = await testApp(t, { settings: { SHEAF_PUBLIC_URL: publicUrl, SHEAF_SIGNUP: 'open', ...Object.fromEntries(both) } });
  // The first account, which takes the code printed at the start.
  await app.services.accounts.create({ name: 'Olga', email: 'operator@example.org', passwordHash: null, verified: true });
  return app;
}

const mara: OidcPerson = { email: 'mara@example.org', name: 'Mara' };
const eve: OidcPerson = { email: 'eve@example.org', name: 'Eve' };
/** Follows a redirect of one of our pages. */
async function follow(browser: Visitor, url: string): Promise<string> {
  const response = await browser.inject({ url: url.replace(publicUrl, '') });
  assert.equal(response.statusCode, 302, response.body);
  return response.headers.location ?? '';
}
/** Goes through the whole sign-in: to the provider, its form, and back; returns where it ends. */
async function signInWith(browser: Visitor, name: string, person: OidcPerson | undefined, query = ''): Promise<string> {
  const { visit } = await oidc();
  return follow(browser, await visit(await follow(browser, `/login/with/${name}${query}`), person));
}

async function signsUpAndIn(t: TestContext, name: string): Promise<void> {
  const { visitor, services } = await appWithProvider(t);
  const first = visitor();
  const away = await follow(first, `/login/start?provider=${name}&cancelUrl=/forum&flowOrigin=menubar`);
  assert.equal(away, `/login/with/${name}?redirectUrl=%2Flogin%2Fwebsuccess&cancelUrl=%2Fforum&flowOrigin=menubar`);
  assert.equal(await signInWith(first, name, mara), '/login/websuccess');
  const session = await first.ask(getSession, {});
  assert.deepEqual([session.loginName, session.loginAccount, session.emailVerified], ['Mara', 'mara@example.org', true]);
  const second = visitor();
  await signInWith(second, name, mara);
  const one = await services.sessions.find(first.cookies.get('sid') ?? '');
  const two = await services.sessions.find(second.cookies.get('sid') ?? '');
  assert.equal(one?.userId, two?.userId);
}
test('the first sign-in with Google creates an account, the second finds it [ACC-04] [ACC-07]', (t) => signsUpAndIn(t, 'google'));
test('the first sign-in with Microsoft creates an account, the second finds it [ACC-05] [ACC-07]', (t) => signsUpAndIn(t, 'microsoft'));

test('a sign-in ends on the page it was meant for, and never on another site', async (t) => {
  const { visitor } = await appWithProvider(t);
  assert.equal(await signInWith(visitor(), 'google', mara, '?redirectUrl=%2Flinks%3Fa%3D1'), '/links?a=1');
  const usual = '?redirectUrl=%2Flogin%2Fwebsuccess&cancelUrl=%2Fforum';
  assert.equal(
    await signInWith(visitor(), 'google', mara, usual),
    '/login/websuccess?cancelUrl=%2Fforum&redirectUrl=%2Flogin%2Fwebsuccess',
  );
  for (const hostile of ['//evil.example', 'https://evil.example', '/%5Cevil.example', '/\t/evil.example'])
    assert.equal(await signInWith(visitor(), 'google', mara, `?redirectUrl=${encodeURIComponent(hostile)}`), '/login/websuccess', hostile);
});

test('a user who declines at the provider reaches the declined page and is not signed in', async (t) => {
  const { visitor } = await appWithProvider(t);
  const browser = visitor();
  assert.equal(await signInWith(browser, 'google', undefined, '?cancelUrl=%2Fforum'), '/login/declined?cancelUrl=%2Fforum');
  assert.equal((await browser.refusal(getSession, {})).errorCode, 104);
});

test('an answer with another state is refused', async (t) => {
  const { visitor } = await appWithProvider(t);
  const browser = visitor();
  const back = new URL(await (await oidc()).visit(await follow(browser, '/login/with/google'), mara));
  back.searchParams.set('state', 'another');
  assert.equal(await follow(browser, back.href), '/login/unexpectederror');
  assert.equal(browser.cookies.has('sid'), false);
});

test('an ID token with another nonce is refused', async (t) => {
  const { visitor } = await appWithProvider(t);
  const browser = visitor();
  const away = new URL(await follow(browser, '/login/with/google'));
  away.searchParams.set('nonce', 'another');
  assert.equal(await follow(browser, await (await oidc()).visit(away.href, mara)), '/login/unexpectederror');
});

test('a code requested with another PKCE challenge is refused', async (t) => {
  const { visitor } = await appWithProvider(t);
  const browser = visitor();
  const away = new URL(await follow(browser, '/login/with/google'));
  away.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  assert.equal(await follow(browser, await (await oidc()).visit(away.href, mara)), '/login/unexpectederror');
});

test('an answer counts once: the same code cannot be redeemed again, nor by another browser', async (t) => {
  const { visitor } = await appWithProvider(t);
  const [victim, thief] = [visitor(), visitor()];
  const back = await (await oidc()).visit(await follow(victim, '/login/with/google'), mara);
  await follow(thief, '/login/with/google');
  assert.equal(await follow(thief, back), '/login/unexpectederror');
  assert.equal(await follow(victim, back), '/login/websuccess');
  assert.equal(await follow(victim, back), '/login/unexpectederror');
});

test('an answer meant for one provider is refused by the other', async (t) => {
  const { visitor } = await appWithProvider(t);
  const browser = visitor();
  const back = await (await oidc()).visit(await follow(browser, '/login/with/google'), mara);
  assert.equal(await follow(browser, back.replace('/google/', '/microsoft/')), '/login/unexpectederror');
});

test('a verified address connects to the account that has verified the same address, whose password still works', async (t) => {
  const { visitor, signUp, services } = await appWithProvider(t);
  const { email, password, userId } = await signUp('mara@example.org');
  await services.accounts.markVerified({ id: userId, email });
  const browser = visitor();
  assert.equal(await signInWith(browser, 'google', mara), '/login/websuccess');
  assert.equal((await services.sessions.find(browser.cookies.get('sid') ?? ''))?.userId, userId);
  await visitor().ask(emailLogin, { email, password });
});

test('an unverified address takes over no account', async (t) => {
  const { visitor, signUp } = await appWithProvider(t);
  await signUp('mara@example.org');
  const thief = visitor();
  assert.equal(await signInWith(thief, 'google', { ...mara, emailVerified: false }), '/login/wrongaccount');
  assert.equal(thief.cookies.has('sid'), false);
});

test('an account registered in advance with an unverified address goes to whoever verifies it: its password and sessions end', async (t) => {
  const { visitor, signUp } = await appWithProvider(t);
  const squatter = await signUp('mara@example.org');
  const owner = visitor();
  assert.equal(await signInWith(owner, 'google', mara), '/login/websuccess');
  assert.equal((await squatter.refusal(getSession, {})).errorCode, 104);
  assert.equal((await visitor().refusal(emailLogin, { email: squatter.email, password: squatter.password })).errorCode, 422);
});

test('a pending address does not belong to an account yet: a provider that vouches for it creates another account', async (t) => {
  const { visitor, signUp, services } = await appWithProvider(t);
  const eve = await signUp('eve@example.org');
  await services.accounts.markVerified({ id: eve.userId, email: eve.email });
  assert.equal((await eve.ask(updateMember, { newEmail: mara.email })).pendingEmail, mara.email);
  const owner = visitor();
  assert.equal(await signInWith(owner, 'google', mara), '/login/websuccess');
  assert.equal((await owner.ask(getSession, {})).loginAccount, mara.email);
  assert.deepEqual((await eve.ask(signInWays, {})).identities, []);
});

test('nothing that a squatter added to such an account opens it any longer: no provider, no authentication code', async (t) => {
  const { visitor, signUp, services } = await appWithProvider(t);
  const squatter = await signUp('eve@example.org');
  const { url } = await squatter.ask(linkIdentity, { provider: 'microsoft' });
  await follow(squatter, await (await oidc()).visit(url, eve));
  const { authCode } = await squatter.ask(createAuthCode, { name: 'sync' });
  const { token } = await squatter.ask(makeToken, { authCode });
  await squatter.ask(updateMember, { newEmail: mara.email });
  const owner = visitor();
  assert.equal(await signInWith(owner, 'google', mara), '/login/websuccess');
  assert.equal(await services.authCodes.find(token), undefined);
  assert.equal((await visitor().refusal(makeToken, { authCode })).messageCode, 'INVALID_AUTH_CODE');
  const again = visitor();
  await signInWith(again, 'microsoft', eve);
  assert.notEqual((await again.ask(getSession, {})).loginAccount, mara.email);
  const { identities } = await owner.ask(signInWays, {});
  assert.deepEqual(
    identities.map(({ provider: name }) => name),
    ['google'],
  );
});

test('a new password for an address that nobody had verified disconnects every provider', async (t) => {
  const stand = await appWithProvider(t);
  const unproven = { ...mara, emailVerified: false };
  await signInWith(stand.visitor(), 'microsoft', unproven);
  const owner = stand.visitor();
  await owner.ask(forgotPassword, { email: mara.email });
  await owner.ask(resetPassword, { token: await mailedToken(stand, mara.email, '/login/reset'), password: 'another battery staple' });
  assert.equal(await signInWith(stand.visitor(), 'microsoft', unproven), '/login/wrongaccount');
  await owner.ask(emailLogin, { email: mara.email, password: 'another battery staple' });
  const subjects = (await mailsTo(stand, mara.email)).map((mail) => mail.split('\n')[1]);
  assert.ok(subjects.includes('Subject: Signing in with Microsoft was removed from your Sheaf account'), String(subjects));
});

test('a disabled account cannot be opened through its provider', async (t) => {
  const { visitor, services } = await appWithProvider(t);
  const browser = visitor();
  await signInWith(browser, 'google', mara);
  await services.database.db.updateTable('account').set({ disabledAt: 1 }).execute();
  assert.equal(await signInWith(visitor(), 'google', mara), '/login/accountdisabled');
});

test('without client settings the sign-in says that it is not set up, and so do the buttons', async (t) => {
  const { visitor } = await testApp(t);
  const browser = visitor();
  assert.equal(await follow(browser, '/login/with/google'), '/login/connectionerror?reason=notsetup');
  assert.deepEqual((await browser.ask(sessionInfo, {})).signIn, { google: false, microsoft: false, passkey: false });
});

test('a provider that cannot be reached leads to the connection error page', async (t) => {
  const { visitor } = await testApp(t, { settings: { SHEAF_GOOGLE_CLIENT_ID: 'x', SHEAF_GOOGLE_ISSUER_URL: 'http://127.0.0.1:9' } });
  assert.equal(await follow(visitor(), '/login/with/google'), '/login/connectionerror');
});

test('no code, token or secret of a sign-in is logged', async (t) => {
  const app = await appWithProvider(t);
  const browser = app.visitor();
  const back = new URL(await (await oidc()).visit(await follow(browser, '/login/with/google'), mara));
  await follow(browser, back.href);
  await follow(browser, back.href);
  const secrets = [
    back.searchParams.get('code'),
    back.searchParams.get('state'),
    (await oidc()).clientSecret,
    browser.cookies.get('sid'),
    browser.cookies.get('sh'),
  ];
  for (const secret of secrets) assert.ok(secret && !app.log().includes(secret), 'a secret is in the log');
});
