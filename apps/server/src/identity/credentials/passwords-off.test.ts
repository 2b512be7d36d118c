import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { emailLogin, emailSignup, forgotPassword, sessionInfo, setPassword } from '@sheaf/contract';
import { hashPassword } from '#/identity/account/password.ts';
import { ConfigError, readConfig } from '#/platform/config/config.ts';
import { testApp } from '#/testing/app.ts';
import { mailsTo } from '#/testing/outbox.ts';

const provider = { SHEAF_OIDC_COMPANY_ISSUER_URL: 'https://id.example', SHEAF_OIDC_COMPANY_CLIENT_ID: 'sheaf' };
const settings = { SHEAF_PUBLIC_URL: 'https://sheaf.test', SHEAF_SIGN_IN: 'providers', SHEAF_OPERATORS: 'olga@example.org', ...provider };
const password = 'correct horse battery';
const phone = {
  id: 'phone',
  credentialId: 'phone',
  name: 'Phone',
  publicKey: '',
  counter: 0,
  transports: '',
  signsIn: 1,
  createdAt: 0,
  lastUsedAt: null,
};

async function stand(t: TestContext) {
  const app = await testApp(t, { settings });
  const add = async (name: string, email: string) =>
    app.services.accounts.create({ name, email, passwordHash: await hashPassword(password), verified: true });
  await add('Olga', 'olga@example.org');
  await add('Mara', 'mara@example.org');
  return app;
}

test('with passwords off nobody signs in, signs up or sets one, and the answer tells only whoever has the password', async (t) => {
  const app = await stand(t);
  const browser = app.visitor();
  assert.equal((await browser.ask(sessionInfo, {})).hasPasswords, false);
  const refused = await browser.refusal(emailLogin, { email: 'mara@example.org', password });
  assert.deepEqual([refused.status, refused.messageCode], [403, 'PASSWORDS_OFF']);
  assert.equal(browser.cookies.has('sid'), false);
  const wrong = await browser.refusal(emailLogin, { email: 'mara@example.org', password: 'another password' });
  assert.equal(wrong.messageCode, 'INVALID_CREDENTIALS');
  assert.equal((await browser.refusal(emailSignup, { name: 'Eve', email: 'eve@example.org', password })).messageCode, 'PASSWORDS_OFF');
  await browser.ask(forgotPassword, { email: 'mara@example.org' });
  assert.deepEqual(await mailsTo(app, 'mara@example.org'), []);
});

test('operators keep their passwords, so that a provider that fails does not lock them out', async (t) => {
  const app = await stand(t);
  const browser = app.visitor();
  await browser.ask(emailLogin, { email: 'olga@example.org', password });
  assert.equal((await browser.ask(sessionInfo, {})).isOperator, true);
  await browser.ask(setPassword, { newPassword: 'another battery staple' });
  await app.visitor().ask(forgotPassword, { email: 'olga@example.org' });
  assert.match((await mailsTo(app, 'olga@example.org')).at(-1) ?? '', /\/login\/reset/);
});

test('passwords cannot be off where nobody could sign in', () => {
  assert.throws(
    () => readConfig({ SHEAF_SIGN_IN: 'providers' }),
    (error) => error instanceof ConfigError && /nobody could sign in/.test(error.message),
  );
  assert.equal(readConfig({ SHEAF_SIGN_IN: 'providers', ...provider }).signIn, 'providers');
});

/** An account with a password and one sign-in provider, and a passkey if wanted. */
async function withProvider(app: Awaited<ReturnType<typeof stand>>, email: string) {
  const { accounts } = app.services;
  const account = await accounts.findByEmail(email);
  assert.ok(account);
  await accounts.join(account.id, { issuer: 'https://id.example', subject: email, provider: 'company', email });
  const [{ identityId } = { identityId: '' }] = await accounts.identities(account.id);
  return { id: account.id, identityId };
}

test('a password that no longer signs in does not count as a way in: the last provider or passkey stays', async (t) => {
  const app = await stand(t);
  const { accounts, factors, db } = app.services;
  const mara = await withProvider(app, 'mara@example.org');
  const last = { messageCode: 'LAST_WAY_IN' };
  await assert.rejects(accounts.part(mara.id, mara.identityId), last);
  await db
    .insertInto('passkey')
    .values({ ...phone, accountId: mara.id })
    .execute();
  assert.equal(await accounts.part(mara.id, mara.identityId), 'company');
  await assert.rejects(factors.removePasskey(mara.id, 'phone'), last);
  assert.equal(await accounts.removePassword(mara.id), true, 'what opens nothing may go');
  await assert.rejects(factors.removePasskey(mara.id, 'phone'), last);
});

test("an operator's password goes on counting as a way in", async (t) => {
  const app = await stand(t);
  const olga = await withProvider(app, 'olga@example.org');
  assert.equal(await app.services.accounts.part(olga.id, olga.identityId), 'company');
  await assert.rejects(app.services.accounts.removePassword(olga.id), { messageCode: 'LAST_WAY_IN' });
});

test('a provider that is no longer set up is no way in: what is left beside it stays, and it may go itself', async (t) => {
  const app = await stand(t);
  const { accounts } = app.services;
  const olga = await withProvider(app, 'olga@example.org');
  await accounts.join(olga.id, { issuer: 'https://former.example', subject: 'olga', provider: 'former', email: 'olga@former.example' });
  const former = (await accounts.identities(olga.id)).find(({ provider }) => provider === 'former');
  const opening = (await accounts.identities(olga.id)).filter(({ opens }) => opens).map(({ provider }) => provider);
  assert.deepEqual(opening, ['company']);
  assert.equal(await accounts.removePassword(olga.id), true, 'the company still signs in');
  await assert.rejects(accounts.part(olga.id, olga.identityId), { messageCode: 'LAST_WAY_IN' });
  assert.equal(await accounts.part(olga.id, former?.identityId ?? ''), 'former');
});

test('with nothing but a provider that is gone, neither a password nor a passkey can be removed', async (t) => {
  const app = await stand(t);
  const { accounts, factors, db } = app.services;
  const olga = await accounts.findByEmail('olga@example.org');
  assert.ok(olga);
  await accounts.join(olga.id, { issuer: 'https://accounts.google.com', subject: 'olga', provider: 'google', email: 'olga@example.org' });
  await assert.rejects(accounts.removePassword(olga.id), { messageCode: 'LAST_WAY_IN' });
  await db
    .insertInto('passkey')
    .values({ ...phone, accountId: olga.id })
    .execute();
  assert.equal(await accounts.removePassword(olga.id), true);
  await assert.rejects(factors.removePasskey(olga.id, 'phone'), { messageCode: 'LAST_WAY_IN' });
});

test('one of the own providers is known by its issuer, under whatever name', async (t) => {
  const app = await stand(t);
  const { accounts } = app.services;
  const olga = await accounts.findByEmail('olga@example.org');
  assert.ok(olga);
  await accounts.join(olga.id, { issuer: 'https://id.example/', subject: 'olga', provider: 'work', email: 'olga@example.org' });
  assert.equal(await accounts.removePassword(olga.id), true);
});
