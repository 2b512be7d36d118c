import assert from 'node:assert/strict';
import { type TestContext, after, test } from 'node:test';
import {
  beginTotp,
  confirmTotp,
  emailLogin,
  getSession,
  linkIdentity,
  listAudit,
  prove,
  removePassword,
  removeTotp,
  setPassword,
  signInWays,
  unlinkIdentity,
  updateMember,
} from '@sheaf/contract';
import { type Oidc, type OidcPerson, startOidc } from '@sheaf/testbed';
import { HOTP, Secret } from 'otpauth';
import { type TestApp, type Visitor, testApp } from '#/testing/app.ts';
import { mailAbout, newSubjects } from '#/testing/outbox.ts';

const publicUrl = 'http://sheaf.test';
let provider: Promise<Oidc> | undefined;
const oidc = (): Promise<Oidc> => (provider ??= startOidc({ redirectUris: [`${publicUrl}/login/with/google/callback`] }));
after(async () => (await provider)?.stop());

async function stage(t: TestContext): Promise<TestApp & { time: number }> {
  const { issuer, clientId, clientSecret } = await oidc();
  const settings = {
    SHEAF_PUBLIC_URL: publicUrl,
    SHEAF_SIGNUP: 'open',
    SHEAF_GOOGLE_CLIENT_ID: clientId,
    SHEAF_GOOGLE_CLIENT_SECRET: clientSecret,
    SHEAF_GOOGLE_ISSUER_URL: issuer,
  };
  const clock = { time: Math.floor(Date.now() / 1000) };
  const app = await testApp(t, { now: () => clock.time, settings });
  // The first account, which takes the code printed at the start.
  await app.services.accounts.create({ name: 'Olga', email: 'operator@example.org', passwordHash: null, verified: true });
  return Object.assign(clock, app);
}

async function follow(browser: Visitor, url: string): Promise<string> {
  const response = await browser.inject({ url: url.replace(publicUrl, '') });
  assert.equal(response.statusCode, 302, response.body);
  return response.headers.location ?? '';
}

const other: OidcPerson = { email: 'private@example.com', name: 'M.' };
/** Adds the person's identity to the signed-in account; returns the path it ends at. */
async function join(browser: Visitor, person: OidcPerson): Promise<string> {
  const { url } = await browser.ask(linkIdentity, { provider: 'google' });
  return follow(browser, await (await oidc()).visit(url, person));
}
async function signInWith(browser: Visitor, person: OidcPerson): Promise<string> {
  return follow(browser, await (await oidc()).visit(await follow(browser, '/login/with/google'), person));
}

test('connecting an account to a provider and disconnecting it are both recorded in the log [ACC-09]', async (t) => {
  const { signUp, visitor } = await stage(t);
  const mara = await signUp();
  const sid = mara.cookies.get('sid');
  assert.equal(await join(mara, other), '/account/profile?joined=google');
  assert.equal(mara.cookies.get('sid'), sid, 'the session stays');
  const { identities } = await mara.ask(signInWays, {});
  assert.deepEqual(
    identities.map(({ provider: name, email }) => [name, email]),
    [['google', 'private@example.com']],
  );
  const elsewhere = visitor();
  assert.equal(await signInWith(elsewhere, other), '/login/websuccess');
  assert.equal((await elsewhere.ask(getSession, {})).loginAccount, mara.email);
  await mara.ask(unlinkIdentity, { identityId: identities[0]?.identityId ?? '' });
  assert.deepEqual((await mara.ask(signInWays, {})).identities, []);
  const { entries } = await mara.ask(listAudit, { limit: 10 });
  assert.deepEqual(
    entries.map(({ action, name }) => [action, name]),
    [
      ['account.signInRemoved', 'Google'],
      ['account.signIn', 'Google'],
    ],
  );
});

test('an identity that belongs to another account is not taken from it [ACC-09]', async (t) => {
  const { signUp, visitor } = await stage(t);
  const owner = visitor();
  await signInWith(owner, other);
  const eve = await signUp();
  assert.equal(await join(eve, other), '/account/profile?joined=taken');
  assert.deepEqual((await eve.ask(signInWays, {})).identities, []);
});

test('connecting a provider needs reauthentication, and its answer counts only in the browser that began [ACC-09]', async (t) => {
  const stand = await stage(t);
  const [mara, eve] = [await stand.signUp(), await stand.signUp()];
  const { url } = await mara.ask(linkIdentity, { provider: 'google' });
  const back = await (await oidc()).visit(url, other);
  assert.equal(await follow(eve, back), '/login/unexpectederror');
  stand.time += 601;
  assert.equal((await mara.refusal(linkIdentity, { provider: 'google' })).errorCode, 760);
  assert.equal((await eve.refusal(linkIdentity, { provider: 'nobody' })).errorCode, 760);
});

test('a connection begun in a session that has ended since adds no way to sign in [ACC-09]', async (t) => {
  const { signUp, visitor } = await stage(t);
  const mara = await signUp();
  const { url } = await mara.ask(linkIdentity, { provider: 'google' });
  const elsewhere = visitor();
  await elsewhere.ask(emailLogin, { email: mara.email, password: mara.password });
  await elsewhere.ask(setPassword, { newPassword: 'another battery staple' });
  assert.equal(
    await follow(mara, await (await oidc()).visit(url, other)),
    '/login/unexpectederror?redirectUrl=%2Faccount%2Fprofile&cancelUrl=%2Faccount%2Fprofile',
  );
  assert.deepEqual((await elsewhere.ask(signInWays, {})).identities, []);
});

test('a provider that is connected, by its owner or by the address it has verified, and one that is disconnected, are reported by mail', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const subjects = await newSubjects(stand, mara.email);
  await join(mara, other);
  await join(mara, other);
  const added = 'Signing in with Google was added to your Sheaf account';
  assert.deepEqual(await subjects(), [added], 'once');
  const [{ identityId } = { identityId: '' }] = (await mara.ask(signInWays, {})).identities;
  await mara.ask(unlinkIdentity, { identityId });
  await mara.ask(unlinkIdentity, { identityId });
  const removed = 'Signing in with Google was removed from your Sheaf account';
  assert.deepEqual(await subjects(), [removed]);
  await signInWith(stand.visitor(), { email: mara.email, name: 'Mara' });
  assert.deepEqual(await subjects(), [added]);
});

test('the last way to sign in stays: password and provider cannot both be removed [ACC-09]', async (t) => {
  const { signUp, visitor } = await stage(t);
  const mara = await signUp();
  await join(mara, other);
  const [{ identityId } = { identityId: '' }] = (await mara.ask(signInWays, {})).identities;
  await mara.ask(removePassword, {});
  assert.equal((await visitor().refusal(emailLogin, { email: mara.email, password: mara.password })).errorCode, 422);
  assert.equal((await mara.refusal(unlinkIdentity, { identityId })).messageCode, 'LAST_WAY_IN');
  await mara.ask(setPassword, { newPassword: 'another battery staple' });
  await mara.ask(unlinkIdentity, { identityId });
  await visitor().ask(emailLogin, { email: mara.email, password: 'another battery staple' });
});

test('changing the password ends all other sessions, sends a mail and is recorded in the log', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const elsewhere = stand.visitor();
  await elsewhere.ask(emailLogin, { email: mara.email, password: mara.password });
  assert.equal((await mara.refusal(setPassword, { newPassword: 'short' })).messageCode, 'WEAK_PASSWORD');
  await mara.ask(setPassword, { newPassword: 'another battery staple' });
  assert.equal((await elsewhere.refusal(getSession, {})).errorCode, 104);
  assert.equal((await mara.ask(getSession, {})).loginAccount, mara.email);
  await mailAbout(stand, mara.email, /The password of your account was changed/);
  assert.equal((await mara.ask(listAudit, { limit: 1 })).entries[0]?.action, 'account.password');
});

test('changing the address needs reauthentication, changing the name does not [ACC-08] [ACC-10]', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  stand.time += 601;
  assert.equal((await mara.refusal(updateMember, { newEmail: 'new@example.org' })).errorCode, 760);
  assert.equal((await mara.ask(updateMember, { newName: 'Mara B', newEmail: mara.email })).loginName, 'Mara B');
});

test('an account with a second factor is not connected by an address alone: the provider would not ask for it', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp('mara@example.org');
  await stand.services.accounts.markVerified({ id: mara.userId, email: mara.email });
  const { secret } = await mara.ask(beginTotp, {});
  const counter = Math.floor(stand.time / 30);
  await mara.ask(confirmTotp, { code: HOTP.generate({ secret: Secret.fromBase32(secret), counter }) });
  const thief = stand.visitor();
  assert.equal(await signInWith(thief, { email: 'mara@example.org', name: 'Mara' }), '/login/wrongaccount');
  assert.equal(thief.cookies.has('sid'), false);
});

test("an address that somebody registered in advance goes to its owner, without that person's second factor", async (t) => {
  const stand = await stage(t);
  const squatter = await stand.signUp('mara@example.org');
  const { secret } = await squatter.ask(beginTotp, {});
  const counter = Math.floor(stand.time / 30);
  await squatter.ask(confirmTotp, { code: HOTP.generate({ secret: Secret.fromBase32(secret), counter }) });
  const owner = stand.visitor();
  assert.equal(await signInWith(owner, { email: 'mara@example.org', name: 'Mara' }), '/login/websuccess');
  const { totpSince, hasPassword } = await owner.ask(signInWays, {});
  assert.deepEqual([totpSince, hasPassword], [undefined, false]);
  assert.equal((await squatter.refusal(getSession, {})).errorCode, 104);
});

test('signing in with a provider does not turn off two-step verification without the second factor', async (t) => {
  const stand = await stage(t);
  const owner = stand.visitor();
  await signInWith(owner, other);
  const { secret } = await owner.ask(beginTotp, {});
  const code = (): string => HOTP.generate({ secret: Secret.fromBase32(secret), counter: Math.floor(stand.time / 30) });
  await owner.ask(confirmTotp, { code: code() });
  stand.time += 60;
  const again = stand.visitor();
  await signInWith(again, other);
  assert.equal((await again.refusal(removeTotp, {})).errorCode, 760);
  await again.ask(prove, { code: code() });
  await again.ask(removeTotp, {});
  assert.equal((await again.ask(signInWays, {})).totpSince, undefined);
});

test('signing in with a provider to an account that is about to close leads to the page for keeping it [ACC-11]', async (t) => {
  const stand = await stage(t);
  const owner = stand.visitor();
  await signInWith(owner, other);
  await stand.services.database.db
    .updateTable('account')
    .set({ closesAt: stand.time + 1000 })
    .execute();
  const browser = stand.visitor();
  assert.match(
    await signInWith(browser, other),
    /^\/login\/start\?redirectUrl=%2Flogin%2Fwebsuccess&cancelUrl=%2F&flowOrigin=page#closing=[\w-]{43}&closesAt=\d+$/,
  );
  assert.equal(browser.cookies.has('sid'), false);
});
