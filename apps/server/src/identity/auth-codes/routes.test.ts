import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Call,
  type ErrorAnswer,
  type InputOf,
  addFolder,
  addVaultPasskey,
  cancelJob,
  createAuthCode,
  expireSessions,
  forgotPassword,
  getSession,
  listAuthCodes,
  logout,
  makeBackup,
  makeToken,
  prove,
  removeVault,
  removeVaultPasskey,
  resetPassword,
  retryJob,
  revokeAuthCode,
  rewrapVault,
  setLimits,
  setPassword,
  startHandoff,
  updateMember,
} from '@sheaf/contract';
import { type TestApp, testApp } from '#/testing/app.ts';
import { mailedToken, mailsTo } from '#/testing/outbox.ts';

/** A command-line client: no cookies, no rTag, a token in a header. */
const client =
  ({ app }: TestApp, token: string, scheme = 'Bearer') =>
  <C extends Call>({ method, path }: C, input: Partial<InputOf<C>> = {}) =>
    app.inject({
      method,
      url: path,
      headers: { authorization: `${scheme} ${token}` },
      ...(method === 'GET' ? { query: input as Record<string, string> } : { payload: input }),
    });

async function signedIn(app: TestApp) {
  const mara = await app.signUp();
  const { authCode, code } = await mara.ask(createAuthCode, { name: 'Laptop' });
  const { token } = await app.visitor().ask(makeToken, { authCode });
  return { mara, authCode, code, token, ask: client(app, token) };
}

test('a token made from a code acts as the user, in reads and in writes without an rTag [ACC-16]', async (t) => {
  const app = await testApp(t);
  const { mara, ask } = await signedIn(app);
  const session = (await ask(getSession)).json<{ data: { loginAccount: string; rTag: string } }>().data;
  assert.deepEqual([session.loginAccount, session.rTag], [mara.email, '']);
  assert.equal((await ask(startHandoff, { action: 'sync' })).statusCode, 200);
});

test('a new password revokes codes and tokens, unless they are to be kept', async (t) => {
  const app = await testApp(t);
  const { mara, ask } = await signedIn(app);
  await mara.ask(setPassword, { newPassword: 'a password of mine', keepAuthCodes: true });
  assert.equal((await ask(getSession)).statusCode, 200);
  await mara.ask(setPassword, { newPassword: 'another password of mine' });
  assert.equal((await ask(getSession)).statusCode, 401);
  assert.deepEqual((await mara.ask(listAuthCodes, {})).codes, []);
});

test('creating an app password requires reauthentication and sends a mail', async (t) => {
  let time = 1_800_000_000;
  const app = await testApp(t, { now: () => time });
  const { mara } = await signedIn(app);
  const told = (await mailsTo(app, mara.email)).filter((mail) => mail.includes('An authentication code for Sheaf was created'));
  assert.equal(told.length, 1);
  assert.match(told[0] ?? '', /The authentication code Laptop was created/);
  time += 601;
  assert.equal((await mara.refusal(createAuthCode, { name: 'NAS' })).messageCode, 'PROOF_NEEDED');
  await mara.ask(prove, { password: mara.password });
  await mara.ask(createAuthCode, { name: 'NAS' });
});

test('codes are listed with name, date, clients and last use, the newest first, and never reveal the code again [ACC-16]', async (t) => {
  let time = 1_800_000_000;
  const app = await testApp(t, { now: () => time });
  const { mara, authCode } = await signedIn(app);
  time += 60;
  await mara.ask(createAuthCode, { name: ' NAS, /srv ' });
  const answer = await mara.send(listAuthCodes, {});
  const { codes } = answer.json<{ data: { codes: object[] } }>().data;
  assert.deepEqual(
    codes.map((code) => ({ ...code, authCodeId: undefined })),
    [
      { authCodeId: undefined, name: 'NAS, /srv', createdAt: time, clients: 0 },
      { authCodeId: undefined, name: 'Laptop', createdAt: time - 60, clients: 1, lastUsedAt: time - 60 },
    ],
  );
  assert.ok(!answer.body.includes(authCode));
});

test('neither code nor token is stored or logged, only a hash of each', async (t) => {
  const app = await testApp(t);
  const { authCode, token } = await signedIn(app);
  const { db } = app.services.database;
  const stored = JSON.stringify([
    await db.selectFrom('auth_code').selectAll().execute(),
    await db.selectFrom('auth_token').selectAll().execute(),
  ]);
  for (const secret of [authCode, token]) assert.ok(!stored.includes(secret) && !app.log().includes(secret));
});

test('revoking a code signs its clients out at once and allows no new token', async (t) => {
  const app = await testApp(t);
  const { mara, authCode, code, ask } = await signedIn(app);
  assert.equal((await ask(getSession)).statusCode, 200);
  await mara.ask(revokeAuthCode, { authCodeId: code.authCodeId });
  assert.equal((await ask(getSession)).json<ErrorAnswer>().errorCode, 104);
  assert.equal((await app.visitor().refusal(makeToken, { authCode })).messageCode, 'INVALID_AUTH_CODE');
  assert.deepEqual((await mara.ask(listAuthCodes, {})).codes, []);
});

test("nobody revokes or sees another user's codes", async (t) => {
  const app = await testApp(t);
  const { code, ask } = await signedIn(app);
  const eve = await app.signUp();
  await eve.ask(revokeAuthCode, { authCodeId: code.authCodeId });
  assert.equal((await ask(getSession)).statusCode, 200);
  assert.deepEqual((await eve.ask(listAuthCodes, {})).codes, []);
});

test('signing out with a token ends that token only', async (t) => {
  const app = await testApp(t);
  const { mara, authCode, ask } = await signedIn(app);
  const { token } = await app.visitor().ask(makeToken, { authCode });
  assert.equal((await ask(logout)).statusCode, 200);
  assert.equal((await ask(getSession)).statusCode, 401);
  assert.equal((await client(app, token)(getSession)).statusCode, 200);
  assert.equal((await mara.ask(getSession, {})).loginAccount, mara.email);
});

test('a token cannot take over the account: it manages no codes and changes no address', async (t) => {
  const app = await testApp(t);
  const { mara, code, ask } = await signedIn(app);
  assert.equal((await ask(createAuthCode, { name: 'mine' })).statusCode, 401);
  assert.equal((await ask(revokeAuthCode, { authCodeId: code.authCodeId })).statusCode, 401);
  assert.equal((await ask(updateMember, { newEmail: 'eve@example.org' })).statusCode, 401);
  assert.equal((await ask(expireSessions)).statusCode, 401);
  assert.equal((await mara.ask(getSession, {})).loginAccount, mara.email);
});

test('a new password revokes codes and tokens with the sessions', async (t) => {
  const app = await testApp(t);
  const { mara, authCode, ask } = await signedIn(app);
  await app.visitor().ask(forgotPassword, { email: mara.email });
  const token = await mailedToken(app, mara.email, '/login/reset');
  await app.visitor().ask(resetPassword, { token, password: 'another long password' });
  assert.equal((await ask(getSession)).statusCode, 401);
  assert.equal((await app.visitor().refusal(makeToken, { authCode })).errorCode, 736);
});

test('a token lives as long as it is used, and expires after three months without use', async (t) => {
  let time = 1_800_000_000;
  let clock = performance.now();
  t.mock.method(performance, 'now', () => clock);
  const app = await testApp(t, { now: () => time });
  const { ask } = await signedIn(app);
  const after = async (days: number) => {
    time += days * 86_400;
    clock += days * 86_400_000;
    return (await ask(getSession)).statusCode;
  };
  assert.deepEqual([await after(89), await after(89), await after(91)], [200, 200, 401]);
});

test('a token in a cookie, a session in the header, and a wrong token with a good cookie open nothing; other schemes are ignored', async (t) => {
  const app = await testApp(t);
  const { mara, token } = await signedIn(app);
  const inCookie = await app.app.inject({ url: getSession.path, headers: { cookie: `sid=${token}` } });
  assert.equal(inCookie.statusCode, 401);
  assert.equal((await client(app, mara.cookies.get('sid') ?? '')(getSession)).statusCode, 401);
  assert.equal((await mara.inject({ url: getSession.path, headers: { authorization: 'Bearer wrong' } })).statusCode, 401);
  assert.equal((await mara.inject({ url: getSession.path, headers: { authorization: 'Basic bWFyYTp4' } })).statusCode, 200);
});

test('a code needs a name of at most 100 characters', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  assert.equal((await mara.refusal(createAuthCode, { name: ' ' })).errorCode, 107);
  assert.equal((await mara.refusal(createAuthCode, { name: 'x'.repeat(101) })).messageCode, 'INVALID_PARAMETER');
});

test('guessing codes is rate-limited', async (t) => {
  const { visitor } = await testApp(t);
  const eve = visitor();
  for (let guess = 0; guess < 50; guess++) await eve.refusal(makeToken, { authCode: `guess${guess}` });
  assert.equal((await eve.refusal(makeToken, { authCode: 'guess' })).messageCode, 'TOO_MANY_TRIES');
});

test('a request without a session is refused as such, whatever it asks for', async (t) => {
  const app = await testApp(t);
  assert.equal((await client(app, '')(addFolder, { parentLinkUri: '/x', folderName: 'y' })).statusCode, 401);
});

test('the token of a command-line client takes no vault away, and runs nothing of the installation', async (t) => {
  const app = await testApp(t);
  const { ask } = await signedIn(app);
  const sealed = JSON.stringify({ sealed: 'x' });
  const answers = await Promise.all([
    ask(rewrapVault, { vaultId: 'v', wrapped: sealed }),
    ask(removeVault, { vaultId: 'v' }),
    ask(addVaultPasskey, { vaultId: 'v', name: 'Phone', sealed }),
    ask(removeVaultPasskey, { vaultId: 'v', passkeyId: 'p' }),
    ask(setLimits, { links: 1 }),
    ask(makeBackup),
    ask(retryJob, { scope: 's', jobId: 'j' }),
    ask(cancelJob, { scope: 's', jobId: 'j' }),
  ]);
  for (const answer of answers) assert.equal(answer.json<{ errorCode: number }>().errorCode, 104, answer.body);
});
