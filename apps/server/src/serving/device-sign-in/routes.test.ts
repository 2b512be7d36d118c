import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  askForDrive,
  confirmDevice,
  createAuthCode,
  deleteAppPassword,
  deviceEndpoints,
  deviceGrant,
  getSession,
  linkUriOf,
  listAppPasswords,
  listAuthCodes,
  lookAtDevice,
  makeToken,
  prove,
  refuseDevice,
  revokeAuthCode,
  setPassword,
} from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';
import { mailsTo } from '#/testing/outbox.ts';

interface Begun {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}
interface Answer {
  readonly error?: string;
  readonly access_token?: string;
  readonly token_type?: string;
  readonly login_account?: string;
  readonly username?: string;
}

type App = Awaited<ReturnType<typeof testApp>>;

/** A program without a browser. */
function programOf({ app }: Pick<App, 'app'>) {
  const post = async (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'sheaf-cli/1 (linux)', ...headers },
      payload: new URLSearchParams(fields).toString(),
    });
  return {
    post,
    begin: async (name = 'Workbench'): Promise<Begun> =>
      (await post(deviceEndpoints.authorize, { client_id: 'sheaf-cli', device_name: name })).json<Begun>(),
    poll: async (deviceCode: string): Promise<Answer> =>
      (await post(deviceEndpoints.token, { client_id: 'sheaf-cli', grant_type: deviceGrant, device_code: deviceCode })).json<Answer>(),
    statusWith: async (token: string) =>
      (await app.inject({ url: getSession.path, headers: { authorization: `Bearer ${token}` } })).statusCode,
  };
}

/** An installation with a clock that the test sets, a user, and a program. */
async function waiting(t: TestContext) {
  const clock = { time: 1_800_000_000 };
  const app = await testApp(t, { now: () => clock.time });
  return { app, clock, mara: await app.signUp(), program: programOf(app) };
}

test('a program shows a code, a person confirms it with a fresh proof, and the program gets a token that is listed, mailed about and revoked', async (t) => {
  const { app, clock, mara, program } = await waiting(t);
  const begun = await program.begin('Workbench\u202e\n');
  assert.match(begun.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  assert.deepEqual([begun.expires_in, begun.interval], [600, 5]);
  assert.ok(begun.verification_uri.endsWith('/device'));
  assert.equal(begun.verification_uri_complete, `${begun.verification_uri}?user_code=${begun.user_code}`);
  assert.equal((await program.poll(begun.device_code)).error, 'authorization_pending');

  // As people type it.
  const userCode = begun.user_code.toLowerCase().replace('-', ' ');
  assert.deepEqual(await mara.ask(lookAtDevice, { userCode }), {
    wish: 'signIn',
    userCode: begun.user_code,
    name: 'Workbench',
    program: 'sheaf-cli/1 (linux)',
    address: '127.0.0.1',
    isNear: true,
    askedAt: clock.time,
    linkUris: [],
    rights: 'write',
  });
  clock.time += 590;
  await mara.ask(prove, { password: mara.password });
  clock.time += 5;
  await mara.ask(confirmDevice, { userCode });
  const { access_token: token = '', token_type: type, login_account: account } = await program.poll(begun.device_code);
  assert.deepEqual([type, account], ['Bearer', mara.email]);
  assert.equal(await program.statusWith(token), 200);
  const { codes } = await mara.ask(listAuthCodes, {});
  assert.deepEqual(
    codes.map(({ name, clients }) => ({ name, clients })),
    [{ name: 'Workbench', clients: 1 }],
  );
  const mails = (await mailsTo(app, mara.email)).filter((mail) => mail.includes('A program signed in to your Sheaf account'));
  assert.equal(mails.length, 1);
  assert.match(mails[0] ?? '', /The command line on Workbench/);

  await mara.ask(revokeAuthCode, { authCodeId: codes[0]?.authCodeId ?? '' });
  assert.equal(await program.statusWith(token), 401);
});

test('a confirmed code gives one token: the second use finds nothing, and of two simultaneous requests one gets it', async (t) => {
  const { mara, program } = await waiting(t);
  const begun = await program.begin();
  await mara.ask(confirmDevice, { userCode: begun.user_code });
  const answers = await Promise.all([1, 2, 3].map(() => program.poll(begun.device_code)));
  assert.equal(answers.filter(({ access_token: token }) => token !== undefined).length, 1);
  assert.deepEqual(
    answers.filter(({ error }) => error !== undefined).map(({ error }) => error),
    ['invalid_grant', 'invalid_grant'],
  );
  assert.equal((await program.poll(begun.device_code)).error, 'invalid_grant');
  assert.equal((await mara.refusal(confirmDevice, { userCode: begun.user_code })).messageCode, 'DEVICE_CODE_UNKNOWN');
  assert.equal((await mara.ask(listAuthCodes, {})).codes.length, 1);
});

test('a program that asks too often has to slow down by five seconds each time', async (t) => {
  const { clock, program } = await waiting(t);
  const { device_code: code } = await program.begin();
  const asksAfter = async (seconds: number): Promise<string | undefined> => {
    clock.time += seconds;
    return (await program.poll(code)).error;
  };
  assert.equal(await asksAfter(0), 'authorization_pending');
  assert.equal(await asksAfter(5), 'authorization_pending');
  assert.equal(await asksAfter(1), 'slow_down');
  assert.equal(await asksAfter(5), 'slow_down');
  assert.equal(await asksAfter(15), 'authorization_pending');
});

test('a code that is refused, has expired or is unknown opens nothing, and each is answered with its own error', async (t) => {
  const { clock, mara, program } = await waiting(t);
  const refused = await program.begin();
  await mara.ask(refuseDevice, { userCode: refused.user_code });
  assert.equal((await program.poll(refused.device_code)).error, 'access_denied');
  assert.equal((await mara.refusal(confirmDevice, { userCode: refused.user_code })).messageCode, 'DEVICE_CODE_UNKNOWN');

  const late = await program.begin();
  const confirmed = await program.begin();
  clock.time += 300;
  await mara.ask(confirmDevice, { userCode: confirmed.user_code });
  clock.time += 300;
  await mara.ask(prove, { password: mara.password });
  assert.equal((await mara.refusal(lookAtDevice, { userCode: late.user_code })).messageCode, 'DEVICE_CODE_UNKNOWN');
  assert.equal((await mara.refusal(confirmDevice, { userCode: late.user_code })).messageCode, 'DEVICE_CODE_UNKNOWN');
  for (const { device_code: code } of [late, confirmed]) assert.equal((await program.poll(code)).error, 'expired_token');

  assert.equal((await program.poll('guess')).error, 'invalid_grant');
  for (const userCode of ['BCDF-GHJK', 'AEIO-UYAE', 'BCDF', ''])
    assert.equal((await mara.refusal(lookAtDevice, { userCode })).messageCode, 'DEVICE_CODE_UNKNOWN', userCode);
  const wrong = await program.post(deviceEndpoints.token, { client_id: 'x', grant_type: 'password', device_code: 'x' });
  assert.deepEqual([wrong.statusCode, wrong.json<Answer>().error], [400, 'unsupported_grant_type']);
  assert.equal((await program.post(deviceEndpoints.authorize, {})).json<Answer>().error, 'invalid_request');
  assert.deepEqual((await mara.ask(listAuthCodes, {})).codes, []);
});

test('only a browser with a fresh proof confirms; a program confirms nothing', async (t) => {
  const { app, clock, mara, program } = await waiting(t);
  const { authCode } = await mara.ask(createAuthCode, { name: 'Laptop' });
  const { token } = await app.visitor().ask(makeToken, { authCode });
  clock.time += 601;
  const { user_code: userCode, device_code: code } = await program.begin();
  assert.equal((await mara.refusal(confirmDevice, { userCode })).messageCode, 'PROOF_NEEDED');
  for (const { path } of [lookAtDevice, confirmDevice, refuseDevice]) {
    const answer = await program.post(path, { userCode }, { authorization: `Bearer ${token}` });
    assert.equal(answer.statusCode, 401, path);
  }
  assert.equal((await program.poll(code)).error, 'authorization_pending');
});

test('guessing codes and beginning again and again are limited', async (t) => {
  const { app, mara, program } = await waiting(t);
  for (let tries = 0; tries < 30; tries++) await mara.refusal(lookAtDevice, { userCode: 'BCDF-GHJK' });
  assert.equal((await mara.refusal(confirmDevice, { userCode: 'BCDF-GHJK' })).messageCode, 'TOO_MANY_TRIES');
  let status = 0;
  for (let tries = 0; tries < 40 && status !== 429; tries++)
    status = (await program.post(deviceEndpoints.authorize, { client_id: 'x' })).statusCode;
  assert.equal(status, 429);
  for (let tries = 0; tries < 60; tries++) await program.poll('guess');
  const late = await program.post(deviceEndpoints.token, { client_id: 'x', grant_type: deviceGrant, device_code: 'guess' });
  assert.deepEqual([late.statusCode, Number(late.headers['retry-after']) > 0], [429, true]);
  assert.ok(app.log().length > 0);
});

test('codes and tokens are stored only as hashes, and never logged', async (t) => {
  const { app, mara, program } = await waiting(t);
  const begun = await program.begin();
  const { db } = app.services.database;
  const stored = JSON.stringify(await db.selectFrom('device_request').selectAll().execute());
  await mara.ask(confirmDevice, { userCode: begun.user_code });
  const { access_token: token = 'none' } = await program.poll(begun.device_code);
  const tokens = JSON.stringify([
    await db.selectFrom('auth_code').selectAll().execute(),
    await db.selectFrom('auth_token').selectAll().execute(),
  ]);
  for (const secret of [begun.device_code, begun.user_code, token])
    assert.ok(!stored.includes(secret) && !tokens.includes(secret) && !app.log().includes(secret));
  assert.deepEqual(await db.selectFrom('device_request').selectAll().execute(), []);
});

test('a new password revokes confirmations whose token was not fetched yet', async (t) => {
  const { mara, program } = await waiting(t);
  const begun = await program.begin();
  await mara.ask(confirmDevice, { userCode: begun.user_code });
  await mara.ask(setPassword, { newPassword: 'another password of mine' });
  assert.equal((await program.poll(begun.device_code)).error, 'invalid_grant');
});

test('a signed-in program asks for a drive: its own account alone confirms, and the app password opens that link until its program revokes it', async (t) => {
  const { user, ...app } = await linkApp(t);
  const program = programOf(app);
  const { authCode } = await user.ask(createAuthCode, { name: 'Laptop' });
  const { token } = await app.visitor().ask(makeToken, { authCode });
  const ask = async (linkUri: string) =>
    app.app.inject({
      method: 'POST',
      url: askForDrive.path,
      headers: { authorization: `Bearer ${token}` },
      payload: { name: 'Laptop', linkUri: [linkUri], rights: 'read' },
    });
  const { userLinkId } = await addSftp(user, 'NAS');
  const linkUri = linkUriOf(userLinkId, '/');
  const { userCode, deviceCode } = (await ask(linkUri)).json<{ data: { userCode: string; deviceCode: string } }>().data;
  const eve = await app.signUp();
  assert.equal((await eve.refusal(lookAtDevice, { userCode })).messageCode, 'DEVICE_CODE_UNKNOWN');
  assert.equal((await eve.refusal(confirmDevice, { userCode })).messageCode, 'DEVICE_CODE_UNKNOWN');
  const { wish, linkUris, rights } = await user.ask(lookAtDevice, { userCode });
  assert.deepEqual({ wish, linkUris, rights }, { wish: 'drive', linkUris: [linkUri], rights: 'read' });
  await user.ask(confirmDevice, { userCode });
  const { access_token: password = '', token_type: type, username = '' } = await program.poll(deviceCode);
  assert.equal(type, 'app_password');
  const opens = async (): Promise<number> =>
    (
      await app.app.inject({
        method: 'PROPFIND',
        url: '/dav/',
        headers: { depth: '0', authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
      })
    ).statusCode;
  assert.notEqual(await opens(), 401);
  const [made] = (await user.ask(listAppPasswords, {})).appPasswords;
  assert.deepEqual([made?.name, made?.linkUris, made?.rights], ['Drive on Laptop', [linkUri], 'read']);

  assert.equal((await program.post(deviceEndpoints.revoke, { username, token: 'wrong' })).statusCode, 200);
  assert.equal((await user.ask(listAppPasswords, {})).appPasswords.length, 1);
  assert.equal((await program.post(deviceEndpoints.revoke, { username, token: password })).statusCode, 200);
  assert.deepEqual((await user.ask(listAppPasswords, {})).appPasswords, []);
  assert.equal(await opens(), 401);
  assert.equal((await ask('/unknown')).statusCode, 404);
  await user.ask(deleteAppPassword, { appPasswordId: made?.appPasswordId ?? '' });
});
