import assert from 'node:assert/strict';
import { type TestContext, after, test } from 'node:test';
import { getSession, sessionInfo, signInWays } from '@sheaf/contract';
import { type Oidc, type OidcPerson, startOidc } from '@sheaf/testbed';
import { type Visitor, testApp } from '#/testing/app.ts';
import { type Lie, startHostileOidc } from './testing/hostile-oidc.ts';

const publicUrl = 'http://sheaf.test';
let provider: Promise<Oidc> | undefined;
const oidc = (): Promise<Oidc> => (provider ??= startOidc({ redirectUris: [`${publicUrl}/login/with/company/callback`] }));
after(async () => (await provider)?.stop());

interface Options {
  readonly settings?: Readonly<Record<string, string>>;
  /** Without any account. */
  readonly isNew?: boolean;
}

async function appWith(t: TestContext, company: Readonly<Record<string, string>>, { settings = {}, isNew = false }: Options = {}) {
  const app = await testApp(t, {
    settings: {
      SHEAF_PUBLIC_URL: publicUrl,
      ...Object.fromEntries(Object.entries(company).map(([field, value]) => [`SHEAF_OIDC_COMPANY_${field}`, value])),
      ...settings,
    },
  });
  if (!isNew) await app.services.accounts.create({ name: 'Olga', email: 'operator@example.org', passwordHash: null, verified: true });
  return app;
}
const registered = async () => {
  const { issuer, clientId, clientSecret } = await oidc();
  return { ISSUER_URL: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, LABEL: 'Halm & Co' };
};

async function follow(browser: Visitor, url: string): Promise<string> {
  const response = await browser.inject({ url: url.replace(publicUrl, '') });
  assert.equal(response.statusCode, 302, response.body);
  return response.headers.location ?? '';
}
const signIn = async (browser: Visitor, person: OidcPerson): Promise<string> =>
  follow(browser, await (await oidc()).visit(await follow(browser, '/login/with/company'), person));

const mara: OidcPerson = { email: 'mara@example.org', name: 'Mara' };

test("an operator's provider has a button with its label, and people get accounts only as the settings say", async (t) => {
  const strict = await appWith(t, await registered());
  const { signInProviders } = await strict.visitor().ask(sessionInfo, {});
  assert.deepEqual(signInProviders, [{ provider: 'company', title: 'Halm & Co' }]);
  assert.equal(await signIn(strict.visitor(), mara), '/login/notadmitted');

  const open = await appWith(t, { ...(await registered()), SIGNUP: 'allow' }, { settings: { SHEAF_SIGNUP: 'closed' } });
  const first = open.visitor();
  assert.equal(await signIn(first, mara), '/login/websuccess');
  const session = await first.ask(getSession, {});
  assert.deepEqual([session.loginName, session.loginAccount, session.emailVerified], ['Mara', 'mara@example.org', true]);
  const { identities } = await first.ask(signInWays, {});
  assert.deepEqual(
    identities.map(({ provider: id, title, email }) => [id, title, email]),
    [['company', 'Halm & Co', 'mara@example.org']],
  );
  const second = open.visitor();
  assert.equal(await signIn(second, mara), '/login/websuccess');
  assert.equal((await second.ask(getSession, {})).loginAccount, 'mara@example.org');

  const fresh = await appWith(t, { ...(await registered()), SIGNUP: 'allow' }, { isNew: true });
  assert.equal(await signIn(fresh.visitor(), mara), '/login/notadmitted', 'the first account is for the operator');
  assert.equal(await follow(fresh.visitor(), '/login/with/nobody'), '/login/connectionerror?reason=notsetup');
});

test('an address that the provider has not verified opens no account, unless the operator vouches for the provider', async (t) => {
  const unproven = { ...mara, emailVerified: false };
  const careful = await appWith(t, { ...(await registered()), SIGNUP: 'allow' });
  const { userId, email } = await careful.signUp('mara@example.org');
  await careful.services.accounts.markVerified({ id: userId, email });
  const thief = careful.visitor();
  assert.equal(await signIn(thief, unproven), '/login/wrongaccount');
  assert.equal(thief.cookies.has('sid'), false);

  const trusting = await appWith(t, { ...(await registered()), TRUST_EMAIL: 'yes' });
  const owner = await trusting.signUp('mara@example.org');
  await trusting.services.accounts.markVerified({ id: owner.userId, email: owner.email });
  const browser = trusting.visitor();
  assert.equal(await signIn(browser, unproven), '/login/websuccess');
  assert.equal((await trusting.services.sessions.find(browser.cookies.get('sid') ?? ''))?.userId, owner.userId);
});

test('an ID token that this provider did not make for this sign-in is refused, whatever is wrong with it', async (t) => {
  const hostile = await startHostileOidc('sheaf');
  t.after(() => hostile.stop());
  const app = await appWith(t, {
    ISSUER_URL: hostile.issuer,
    CLIENT_ID: 'sheaf',
    CLIENT_SECRET: 'a secret of the client',
    SIGNUP: 'allow',
  });
  const attempt = async (lie: Lie): Promise<string> => {
    hostile.lie(lie);
    const browser = app.visitor();
    const away = await follow(browser, '/login/with/company');
    const end = await follow(browser, away.startsWith('/') ? away : hostile.answer(away));
    assert.equal(browser.cookies.has('sid'), end === '/login/websuccess');
    return end;
  };
  const now = Math.floor(Date.now() / 1000);
  const lies: Readonly<Record<string, Lie>> = {
    'no signature': { algorithm: 'none' },
    'a signature by the secret of the client': { algorithm: 'HS256' },
    'a key that is not published': { foreignKey: true },
    'another issuer': { claims: { iss: 'https://evil.example' } },
    'another audience': { claims: { aud: 'another' } },
    'an audience of several and another party': { claims: { aud: ['sheaf', 'another'], azp: 'another' } },
    'another nonce': { claims: { nonce: 'another' } },
    'no nonce': { without: ['nonce'] },
    'no end': { without: ['exp'] },
    'an end that has passed': { claims: { iat: now - 7200, exp: now - 3600 } },
    'no subject': { without: ['sub'] },
  };
  for (const [what, lie] of Object.entries(lies)) assert.equal(await attempt(lie), '/login/unexpectederror', what);
  assert.equal(await attempt({ without: ['email'] }), '/login/accountnotfound');
  assert.equal(await attempt({}), '/login/websuccess', 'without a lie it signs in');
});

test('a discovery document of another issuer is not used', async (t) => {
  const hostile = await startHostileOidc('sheaf');
  t.after(() => hostile.stop());
  hostile.lie({ issuer: 'https://evil.example' });
  const app = await appWith(t, { ISSUER_URL: hostile.issuer, CLIENT_ID: 'sheaf' });
  assert.equal(await follow(app.visitor(), '/login/with/company'), '/login/connectionerror');
});

test('a claim appoints operators and takes that back, and does not touch those whom people have appointed', async (t) => {
  const app = await appWith(t, { ...(await registered()), SIGNUP: 'allow', OPERATORS: 'groups=sheaf-admins' });
  const is = async (groups: readonly string[]): Promise<boolean> => {
    const browser = app.visitor();
    assert.equal(await signIn(browser, { ...mara, groups }), '/login/websuccess');
    return (await browser.ask(sessionInfo, {})).isOperator;
  };
  assert.equal(await is(['staff']), false);
  assert.equal(await is(['staff', 'sheaf-admins']), true);
  assert.equal(await is(['sheaf-admins']), true);
  assert.equal(await is([]), false);
  const entries = await app.services.db.selectFrom('operatorEvent').select(['actor', 'action', 'subject']).orderBy('id').execute();
  assert.deepEqual(
    entries.map(({ actor, action, subject }) => [actor, action, subject]),
    [
      ['Halm & Co', 'people.makeOperator', 'mara@example.org'],
      ['Halm & Co', 'people.removeOperator', 'mara@example.org'],
    ],
  );
  // An operator's decision outlasts the claim.
  assert.equal(await is(['sheaf-admins']), true);
  await app.services.db.updateTable('operator').set({ givenBy: null }).execute();
  assert.equal(await is([]), true);
});
