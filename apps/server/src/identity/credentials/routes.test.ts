import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  emailLogin,
  emailSignup,
  forgotPassword,
  getSession,
  isSession,
  logout,
  resendVerification,
  resetPassword,
  setPassword,
  verifyEmail,
} from '@sheaf/contract';
import { createSessionStore } from '#/identity/sessions/session-store.ts';
import { createSessions } from '#/identity/sessions/sessions.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import { newId } from '#/platform/ids.ts';
import { testApp } from '#/testing/app.ts';
import { mailedToken, mailsTo } from '#/testing/outbox.ts';

const day = 86_400;
const sessionsOf = (db: Db, now: Clock) => createSessions({ store: createSessionStore(db), newId, now });
const verifyPage = '/account/verifyemail';
const resetPage = '/login/reset';

test('a user who signs up by e-mail is signed in and receives the session info [ACC-07] [NAV-40]', async (t) => {
  const { signUp } = await testApp(t);
  const mara = await signUp('mara@example.org');
  const session = await mara.ask(getSession, {});
  assert.deepEqual(session, {
    loginName: 'Mara',
    loginAccount: 'mara@example.org',
    rTag: mara.cookies.get('sh'),
    emailVerified: false,
    upgradeState: 'upgrade',
  });
});

test('an installation without billing includes everything', async (t) => {
  const { signUp } = await testApp(t, { settings: { SHEAF_BILLING: 'off' } });
  assert.equal((await signUp()).session.upgradeState, '');
});

test('an address has one account, however it is spelled', async (t) => {
  const { signUp, visitor } = await testApp(t);
  await signUp('mara@example.org');
  const again = await visitor().refusal(emailSignup, { email: ' MARA@Example.org ', password: 'correct horse battery' });
  assert.deepEqual([again.messageCode, again.status], ['EMAIL_TAKEN', 409]);
});

test('an invalid address, name or password is refused', async (t) => {
  const { visitor } = await testApp(t);
  const refused = async (input: object) =>
    (await visitor().refusal(emailSignup, { email: 'mara@example.org', password: 'correct horse battery', ...input })).messageCode;
  for (const email of [
    '',
    'mara',
    '@example.org',
    'mara@',
    'a@b@c',
    'mara@example.org\r\nBcc: all@example.org',
    'm ara@example.org',
    `${'m'.repeat(250)}@example.org`,
  ])
    assert.equal(await refused({ email }), 'EMAIL_INVALID', email);
  assert.equal(await refused({ name: 'a/b' }), 'INVALID_NAME');
  assert.equal(await refused({ password: '1234567' }), 'WEAK_PASSWORD');
  assert.equal(await refused({ password: 'x'.repeat(201) }), 'INVALID_PARAMETER');
});

test('address and password sign in to the account again [ACC-06]', async (t) => {
  const { signUp, visitor } = await testApp(t);
  const { email, password } = await signUp();
  const session = await visitor().ask(emailLogin, { email: email.toUpperCase(), password });
  assert.ok(isSession(session));
  assert.equal(session.loginAccount, email);
});

test('a signed-out visitor gets 104', async (t) => {
  const { visitor } = await testApp(t);
  const { errorCode, status } = await visitor().refusal(getSession, {});
  assert.deepEqual([errorCode, status], [104, 401]);
});

test('signing out ends the session at once and clears its cookies; the browser stays known', async (t) => {
  const { signUp } = await testApp(t);
  const mara = await signUp();
  const sid = mara.cookies.get('sid') ?? '';
  await mara.ask(logout, {});
  assert.deepEqual([...mara.cookies.keys()], ['dv']);
  const again = await mara.inject({ url: getSession.path, headers: { cookie: `sid=${sid}` } });
  assert.equal(again.statusCode, 401);
});

test('a wrong password, an unknown address and a disabled account are refused alike with 422', async (t) => {
  const { signUp, visitor, services } = await testApp(t);
  const { email, password } = await signUp();
  const wrong = await visitor().refusal(emailLogin, { email, password: 'not the password' });
  const unknown = await visitor().refusal(emailLogin, { email: 'nobody@example.org', password });
  await services.database.db.updateTable('account').set({ disabledAt: 1 }).execute();
  const disabled = await visitor().refusal(emailLogin, { email, password });
  assert.equal(wrong.errorCode, 422);
  assert.deepEqual([unknown, disabled], [wrong, wrong]);
});

test('after ten wrong passwords an account must wait, even with the right one; the answer says how long, and then it opens', async (t) => {
  let time = 1_800_000_000;
  const { signUp, visitor } = await testApp(t, { now: () => time });
  const { email, password } = await signUp();
  const tries = await Promise.all(Array.from({ length: 12 }, () => visitor().refusal(emailLogin, { email, password: 'wrong' })));
  assert.equal(tries.filter(({ errorCode }) => errorCode === 422).length, 10);
  const waiting = await visitor().send(emailLogin, { email, password });
  assert.equal(waiting.statusCode, 429);
  assert.equal(waiting.headers['retry-after'], '900');
  time += 901;
  await visitor().ask(emailLogin, { email, password });
});

test('wrong passwords from elsewhere lock out neither another network nor a browser that has signed in before', async (t) => {
  const { signUp, visitor } = await testApp(t);
  const mara = await signUp();
  const { email, password } = mara;
  const statusFrom = async (remoteAddress: string, typed: string, someone = visitor()): Promise<number> =>
    (await someone.inject({ method: 'POST', url: emailLogin.path, remoteAddress, payload: { email, password: typed } })).statusCode;
  for (let wrong = 0; wrong < 12; wrong++) await statusFrom('192.0.2.1', 'wrong');
  assert.equal(await statusFrom('192.0.2.1', password), 429);
  assert.equal(await statusFrom('192.0.2.1', password, mara), 200);
  assert.equal(await statusFrom('192.0.2.2', password), 200);
  for (let wrong = 0; wrong < 12; wrong++) await statusFrom(`2001:db8::${wrong}`, 'wrong');
  assert.equal(await statusFrom('2001:db8::ffff', password), 429);
  assert.equal(await statusFrom('2001:db8:0:1::1', password), 200);
  for (let wrong = 0; wrong < 12; wrong++) await statusFrom('192.0.2.9', 'wrong', mara);
  assert.equal(await statusFrom('192.0.2.9', password, mara), 429);
});

test('a reset clears the wrong passwords before it', async (t) => {
  const app = await testApp(t);
  const { email } = await app.signUp();
  for (let wrong = 0; wrong < 11; wrong++) await app.visitor().refusal(emailLogin, { email, password: 'wrong' });
  await app.visitor().ask(forgotPassword, { email });
  const token = await mailedToken(app, email, resetPage);
  await app.visitor().ask(resetPassword, { token, password: 'a password of mine' });
  await app.visitor().ask(emailLogin, { email, password: 'a password of mine' });
});

test('the right password clears the wrong ones before it', async (t) => {
  const { signUp, visitor } = await testApp(t);
  const { email, password } = await signUp();
  for (let round = 0; round < 2; round++) {
    for (let wrong = 0; wrong < 7; wrong++)
      assert.equal((await visitor().refusal(emailLogin, { email, password: 'wrong' })).errorCode, 422);
    await visitor().ask(emailLogin, { email, password });
  }
});

test('the mailed link verifies the address, once', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  const token = await mailedToken(app, mara.email, verifyPage);
  assert.deepEqual(await app.visitor().ask(verifyEmail, { token }), { email: mara.email });
  assert.equal((await mara.ask(getSession, {})).emailVerified, true);
  assert.equal((await app.visitor().refusal(verifyEmail, { token })).messageCode, 'TOKEN_SPENT');
});

test('a resent link replaces the first; none is sent once the address is verified', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  const first = await mailedToken(app, mara.email, verifyPage);
  await mara.ask(resendVerification, {});
  const second = await mailedToken(app, mara.email, verifyPage);
  assert.equal((await app.visitor().refusal(verifyEmail, { token: first })).messageCode, 'TOKEN_SPENT');
  await app.visitor().ask(verifyEmail, { token: second });
  await mara.ask(resendVerification, {});
  assert.equal((await mailsTo(app, mara.email)).length, 2);
});

test('a forgotten password is reset by a mailed link: it ends all sessions and the old password, and works once', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  await app.visitor().ask(forgotPassword, { email: mara.email });
  const token = await mailedToken(app, mara.email, resetPage);
  assert.equal((await app.visitor().refusal(resetPassword, { token, password: 'short' })).messageCode, 'WEAK_PASSWORD');
  await app.visitor().ask(resetPassword, { token, password: 'a whole new password' });
  assert.equal((await mara.refusal(getSession, {})).errorCode, 104);
  assert.equal((await app.visitor().refusal(emailLogin, { email: mara.email, password: mara.password })).errorCode, 422);
  const again = await app.visitor().ask(emailLogin, { email: mara.email, password: 'a whole new password' });
  assert.ok(isSession(again));
  assert.equal(again.emailVerified, true);
  assert.equal((await app.visitor().refusal(resetPassword, { token, password: 'another password' })).messageCode, 'TOKEN_SPENT');
});

test('a password set by its owner invalidates a reset link mailed before', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  await mara.ask(forgotPassword, { email: mara.email });
  const token = await mailedToken(app, mara.email, resetPage);
  await mara.ask(setPassword, { newPassword: 'a whole new password' });
  assert.equal((await app.visitor().refusal(resetPassword, { token, password: 'another password' })).messageCode, 'TOKEN_SPENT');
  await app.visitor().ask(verifyEmail, { token: await mailedToken(app, mara.email, verifyPage) });
});

test('of two concurrent uses of a link one works', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  await app.visitor().ask(forgotPassword, { email: mara.email });
  const token = await mailedToken(app, mara.email, resetPage);
  const both = await Promise.all(
    ['first password', 'second password'].map((password) => app.visitor().send(resetPassword, { token, password })),
  );
  assert.deepEqual(new Set(both.map(({ statusCode }) => statusCode)), new Set([200, 400]));
});

test('a link expires, and a link for one purpose does not work for the other', async (t) => {
  let time = 1_800_000_000;
  const app = await testApp(t, { now: () => time });
  const mara = await app.signUp();
  const verify = await mailedToken(app, mara.email, verifyPage);
  assert.equal(
    (await app.visitor().refusal(resetPassword, { token: verify, password: 'a whole new password' })).messageCode,
    'TOKEN_SPENT',
  );
  await app.visitor().ask(forgotPassword, { email: mara.email });
  const reset = await mailedToken(app, mara.email, resetPage);
  time += 3601;
  assert.equal((await app.visitor().refusal(resetPassword, { token: reset, password: 'a whole new password' })).messageCode, 'TOKEN_SPENT');
});

test('the answer about a forgotten password is the same whether or not the address is known, and only a known one gets mail', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  const known = await app.visitor().send(forgotPassword, { email: mara.email });
  const unknown = await app.visitor().send(forgotPassword, { email: 'nobody@example.org' });
  const nonsense = await app.visitor().send(forgotPassword, { email: 'no address' });
  assert.deepEqual([known.statusCode, known.body], [unknown.statusCode, unknown.body]);
  assert.deepEqual([known.statusCode, known.body], [nonsense.statusCode, nonsense.body]);
  assert.equal((await mailsTo(app, 'nobody@example.org')).length, 0);
});

test('requesting a mail to an invalid address, or too often, is not a failure of the program', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  for (const email of ['nonsense', ...Array.from({ length: 7 }, () => mara.email)]) await app.visitor().ask(forgotPassword, { email });
  const mails = (await mailsTo(app, mara.email)).filter((mail) => mail.includes(resetPage));
  assert.equal(mails.length, 5);
  assert.doesNotMatch(app.log(), /background task failed/);
});

test('a session ends after a month without use; use extends it, for a year at most', async (t) => {
  let time = 1_800_000_000;
  const { signUp, services } = await testApp(t, { now: () => time });
  const token = (await signUp()).cookies.get('sid') ?? '';
  // Reads the database directly, as another instance would.
  const isOpen = async () => (await sessionsOf(services.database.db, () => time).find(token)) !== undefined;
  for (let month = 1; month <= 18; month++) {
    time += 20 * day;
    assert.equal(await isOpen(), true, `${month * 20} days`);
  }
  time += 6 * day;
  assert.equal(await isOpen(), false);
});

test('an unused session ends after a month', async (t) => {
  let time = 1_800_000_000;
  const { signUp, services } = await testApp(t, { now: () => time });
  const token = (await signUp()).cookies.get('sid') ?? '';
  time += 31 * day;
  assert.equal(await sessionsOf(services.database.db, () => time).find(token), undefined);
});

test('no password, token, cookie or mailed link is logged', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  await app.visitor().refusal(emailLogin, { email: mara.email, password: 'a mistyped secret' });
  await app.visitor().ask(forgotPassword, { email: mara.email });
  const tokens = [await mailedToken(app, mara.email, verifyPage), await mailedToken(app, mara.email, resetPage)];
  await mara.inject({ url: `/rest/account/session?token=${tokens[0]}` });
  await mara.inject({ url: `/nowhere/${tokens[1]}` });
  const secrets = [mara.password, 'a mistyped secret', mara.cookies.get('sid'), mara.cookies.get('sh'), ...tokens];
  for (const secret of secrets) assert.ok(secret && !app.log().includes(secret), 'a secret is in the log');
});
