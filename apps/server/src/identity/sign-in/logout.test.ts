import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { emailLogin, getSession, logout, sessionInfo } from '@sheaf/contract';
import { type OidcPerson, eventually, freePort, startOidc } from '@sheaf/testbed';
import { type TestApp, type Visitor, testApp } from '#/testing/app.ts';
import { startHostileOidc } from './testing/hostile-oidc.ts';

const publicUrl = 'http://sheaf.test';
const mara: OidcPerson = { email: 'mara@example.org', name: 'Mara' };

type Registered = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string };

async function appOf(t: TestContext, { issuer, clientId, clientSecret }: Registered, more: Readonly<Record<string, string>> = {}) {
  const settings = { ISSUER_URL: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, SIGNUP: 'allow', ...more };
  const named = Object.fromEntries(Object.entries(settings).map(([field, value]) => [`SHEAF_OIDC_COMPANY_${field}`, value]));
  const app = await testApp(t, { settings: { SHEAF_PUBLIC_URL: publicUrl, ...named } });
  await app.services.accounts.create({ name: 'Olga', email: 'operator@example.org', passwordHash: null, verified: true });
  return app;
}
async function follow(browser: Visitor, url: string): Promise<string> {
  const response = await browser.inject({ url: url.replace(publicUrl, '') });
  assert.equal(response.statusCode, 302, response.body);
  return response.headers.location ?? '';
}
const isSignedIn = async (browser: Visitor): Promise<boolean> => (await browser.ask(sessionInfo, {})).session !== undefined;

/** A real provider that tells the app of sign-outs, and the app. */
async function company(t: TestContext, more: Readonly<Record<string, string>> = {}) {
  const port = await freePort();
  const provider = await startOidc({
    redirectUris: [`${publicUrl}/login/with/company/callback`],
    logoutUri: `http://127.0.0.1:${port}/login/with/company/logout`,
    afterLogoutUris: [`${publicUrl}/`],
  });
  t.after(() => provider.stop());
  const app = await appOf(t, provider, more);
  await app.app.listen({ host: '127.0.0.1', port });
  const signIn = async (): Promise<Visitor> => {
    const browser = app.visitor();
    const back = await provider.visit(await follow(browser, '/login/with/company'), mara);
    assert.equal(await follow(browser, back), '/login/websuccess');
    return browser;
  };
  return { ...app, provider, signIn };
}

test('a sign-out at the provider ends its session here, and no session of another way to sign in', async (t) => {
  const { provider, signIn, services, visitor } = await company(t);
  const browser = await signIn();
  const { userId } = (await services.sessions.find(browser.cookies.get('sid') ?? '')) ?? assert.fail('no session');
  const other = await services.sessions.open(userId, { userAgent: 'another', address: '127.0.0.1' }, true);
  await provider.leave();
  await eventually(async () => !(await isSignedIn(browser)), 'the session has ended');
  const still = visitor();
  still.cookies.set('sid', other.token);
  assert.equal(await isSignedIn(still), true);
});

test('a sign-out here leads the browser to the end of its session at the provider, and back', async (t) => {
  const { provider, signIn } = await company(t);
  const browser = await signIn();
  const { url = '' } = await browser.ask(logout, {});
  assert.ok(url.startsWith(`${provider.issuer}/session/end?`), url);
  assert.equal(await isSignedIn(browser), false);
  assert.equal(new URL(await provider.leave(url)).origin, publicUrl);
});

test('a sign-out here leaves the provider alone where the settings say so, and after a sign-in by password', async (t) => {
  const here = await company(t, { SIGN_OUT: 'here' });
  assert.deepEqual(await (await here.signIn()).ask(logout, {}), {});
  const both = await company(t);
  const { email, password } = await both.signUp();
  const browser = both.visitor();
  await browser.ask(emailLogin, { email, password });
  assert.deepEqual(await browser.ask(logout, {}), {});
});

/** Signs in at a provider that lies, and gives it a way to send logout tokens. */
async function lying(t: TestContext) {
  const hostile = await startHostileOidc('sheaf');
  t.after(() => hostile.stop());
  const app = await appOf(t, { issuer: hostile.issuer, clientId: 'sheaf', clientSecret: 'a secret of the client' });
  const signIn = async (sid: string): Promise<Visitor> => {
    hostile.lie({ claims: { sid } });
    const browser = app.visitor();
    assert.equal(await follow(browser, hostile.answer(await follow(browser, '/login/with/company'))), '/login/websuccess');
    return browser;
  };
  return { ...app, hostile, signIn, tell: (token: string) => tell(app, token) };
}
const tell = async ({ visitor }: TestApp, token: string): Promise<number> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const payload = new URLSearchParams({ logout_token: token }).toString();
  return (await visitor().inject({ method: 'POST', url: '/login/with/company/logout', headers, payload })).statusCode;
};

test('an invalid logout token ends nothing, whatever is wrong with it', async (t) => {
  const { hostile, signIn, tell: send, visitor } = await lying(t);
  const browser = await signIn('one');
  const now = Math.floor(Date.now() / 1000);
  const wrong = {
    'no signature': { algorithm: 'none' },
    'a signature by the secret of the client': { algorithm: 'HS256' },
    'a key that is not published': { foreignKey: true },
    'another issuer': { claims: { iss: 'https://evil.example' } },
    'another audience': { claims: { aud: 'another' } },
    'no event': { without: ['events'] },
    'another event': { claims: { events: { 'urn:other': {} } } },
    'a nonce': { claims: { nonce: 'x' } },
    'no id': { without: ['jti'] },
    'no time': { without: ['iat'] },
    'made long ago': { claims: { iat: now - 3600 } },
    nobody: { without: ['sub', 'sid'] },
  } as const;
  for (const [what, lie] of Object.entries(wrong)) {
    assert.equal(await send(hostile.logoutToken({ sid: 'one' }, lie)), 400, what);
    assert.equal(await isSignedIn(browser), true, what);
  }
  assert.equal(await send('no token at all'), 400);
  const unknown = await visitor().inject({ method: 'POST', url: '/login/with/nobody/logout', payload: {} });
  assert.equal(unknown.statusCode, 400);
});

test("a logout token ends the session that it names, or all of a person's, and never one that began later", async (t) => {
  const { hostile, signIn, tell: send, services } = await lying(t);
  const [one, two] = [await signIn('one'), await signIn('two')];
  assert.equal(await send(hostile.logoutToken({ sid: 'one' }, { without: ['sub'] })), 200);
  assert.deepEqual([await isSignedIn(one), await isSignedIn(two)], [false, true]);
  const ofPerson = hostile.logoutToken({}, {});
  assert.equal(await send(ofPerson), 200);
  assert.equal(await isSignedIn(two), false);
  const later = await signIn('three');
  await services.db
    .updateTable('session')
    .set({ createdAt: Math.floor(Date.now() / 1000) + 120 })
    .execute();
  assert.equal(await send(ofPerson), 200);
  assert.equal(await isSignedIn(later), true);
  assert.equal(await send(hostile.logoutToken({ sub: 'stranger' }, {})), 200);
  assert.equal((await later.ask(getSession, {})).loginAccount, 'mara@example.org');
});
