import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  createAuthCode,
  emailLogin,
  forgotPassword,
  getSession,
  isSession,
  listAudit,
  makeToken,
  passkeyLogin,
  passkeyOptions,
  proofOptions,
  prove,
  removePassword,
  removePasskey,
  removeTotp,
  renamePasskey,
  renewRecoveryCodes,
  resetPassword,
  secondFactor,
  setPassword,
  signInWays,
} from '@sheaf/contract';
import { HOTP, Secret } from 'otpauth';
import { type TestApp, type User, type Visitor, testApp } from '#/testing/app.ts';
import { type Authenticator, createAuthenticator } from '#/testing/authenticator.ts';
import { mailedToken } from '#/testing/outbox.ts';

const publicUrl = 'https://sheaf.example';
const device = (verifies = true): Authenticator => createAuthenticator({ rpId: 'sheaf.example', origin: publicUrl, verifies });

interface Stage extends TestApp {
  /** Epoch seconds of the app's clock. */
  time: number;
}

async function stage(t: TestContext, settings: Record<string, string> = { SHEAF_PUBLIC_URL: publicUrl }): Promise<Stage> {
  const clock = { time: 1_800_000_000 };
  const app = await testApp(t, { now: () => clock.time, settings });
  return Object.assign(clock, app);
}

const codeAt = (secret: string, time: number): string =>
  HOTP.generate({ secret: Secret.fromBase32(secret), counter: Math.floor(time / 30), digits: 6 });

/** Sets an authenticator app up; the next code is one period later. */
async function withApp(stand: Stage, user: User): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
  const { secret } = await user.ask(beginTotp, {});
  const { recoveryCodes = [] } = await user.ask(confirmTotp, { code: codeAt(secret, stand.time) });
  stand.time += 60;
  return { secret, recoveryCodes };
}

async function withPasskey(user: User, name: string, authenticator = device()): Promise<Authenticator> {
  const { options } = await user.ask(beginPasskey, {});
  await user.ask(addPasskey, { name, attestation: authenticator.create(options) });
  return authenticator;
}

/** The ticket after the right password. */
async function ticketOf(browser: Visitor, { email, password }: Pick<User, 'email' | 'password'>) {
  const answer = await browser.ask(emailLogin, { email, password });
  assert.ok('secondFactor' in answer, 'no second step was asked');
  assert.equal(browser.cookies.has('sid'), false);
  return answer.secondFactor;
}

test('an authenticator app counts once a code of it has come back, and brings ten recovery codes', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const { secret, uri } = await mara.ask(beginTotp, {});
  assert.match(uri, new RegExp(`^otpauth://totp/Sheaf:.*secret=${secret}`));
  assert.ok(isSession(await stand.visitor().ask(emailLogin, mara)), 'an unconfirmed app asks for nothing');
  assert.equal((await mara.refusal(confirmTotp, { code: '000000' })).errorCode, 761);
  const { recoveryCodes = [] } = await mara.ask(confirmTotp, { code: codeAt(secret, stand.time) });
  assert.equal(new Set(recoveryCodes).size, 10);
  assert.equal((await mara.refusal(beginTotp, {})).messageCode, 'FACTOR_EXISTS');
  const ways = await mara.ask(signInWays, {});
  assert.deepEqual([ways.totpSince, ways.recoveryCodesLeft], [stand.time, 10]);
  const stored = JSON.stringify(await stand.services.database.db.selectFrom('totp').selectAll().execute());
  assert.ok(!stored.includes(secret) && !stand.log().includes(secret));
});

test('after the password a code is asked, and only with it there is a session', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const { secret } = await withApp(stand, mara);
  const browser = stand.visitor();
  const { ticket, kinds } = await ticketOf(browser, mara);
  assert.deepEqual(kinds, ['totp', 'recovery']);
  assert.equal((await browser.refusal(getSession, {})).errorCode, 104);
  const session = await browser.ask(secondFactor, { ticket, code: codeAt(secret, stand.time) });
  assert.ok(isSession(session));
  assert.equal((await browser.ask(getSession, {})).loginAccount, mara.email);
});

test('wrong, old and used codes, and codes of another account, are refused', async (t) => {
  const stand = await stage(t);
  const [mara, tom] = [await stand.signUp(), await stand.signUp()];
  const { secret } = await withApp(stand, mara);
  const { secret: toms } = await withApp(stand, tom);
  const first = stand.visitor();
  const right = codeAt(secret, stand.time);
  assert.ok(isSession(await first.ask(secondFactor, { ticket: (await ticketOf(first, mara)).ticket, code: right })));
  const table: readonly (readonly [what: string, code: string])[] = [
    ['used', right],
    ['before the used one', codeAt(secret, stand.time - 30)],
    ['two periods old', codeAt(secret, stand.time - 60)],
    ['two periods ahead', codeAt(secret, stand.time + 60)],
    ['of another account', codeAt(toms, stand.time)],
    ['too short', '12345'],
    ['no number', 'abcdef'],
    ['empty', ''],
  ];
  const { ticket } = await ticketOf(stand.visitor(), mara);
  for (const [what, code] of table) {
    const refusal = await stand.visitor().refusal(secondFactor, { ticket, code });
    assert.deepEqual([refusal.errorCode, refusal.status], [761, 422], what);
  }
  assert.ok(isSession(await stand.visitor().ask(secondFactor, { ticket, code: codeAt(secret, stand.time + 30) })), 'a clock may run ahead');
});

test('of two sign-ins with the same code at the same moment one gets in', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const { secret } = await withApp(stand, mara);
  const tickets = [await ticketOf(stand.visitor(), mara), await ticketOf(stand.visitor(), mara)];
  const code = codeAt(secret, stand.time);
  const answers = await Promise.all(tickets.map(({ ticket }) => stand.visitor().send(secondFactor, { ticket, code })));
  assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200, 422]));
});

test('a ticket is good for one sign-in, ten minutes, one account and one password', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const { secret, recoveryCodes } = await withApp(stand, mara);
  const wrong = async (ticket: string, recoveryCode = '') =>
    (await stand.visitor().refusal(secondFactor, { ticket, recoveryCode })).messageCode;
  const { ticket } = await ticketOf(stand.visitor(), mara);
  assert.ok(isSession(await stand.visitor().ask(secondFactor, { ticket, code: codeAt(secret, stand.time) })));
  assert.equal(await wrong(ticket, recoveryCodes[0]), 'SIGN_IN_AGAIN', 'used');
  const late = await ticketOf(stand.visitor(), mara);
  stand.time += 601;
  assert.equal(await wrong(late.ticket, recoveryCodes[0]), 'SIGN_IN_AGAIN', 'late');
  assert.equal(await wrong('nonsense', recoveryCodes[0]), 'SIGN_IN_AGAIN', 'unknown');
  const stale = await ticketOf(stand.visitor(), mara);
  await mara.ask(prove, { password: mara.password });
  await mara.ask(setPassword, { newPassword: 'another battery staple' });
  assert.equal(await wrong(stale.ticket, recoveryCodes[0]), 'SIGN_IN_AGAIN', 'older than the password');
  assert.equal((await mara.ask(signInWays, {})).recoveryCodesLeft, 10);
});

test('guessing codes is stopped, and a recovery code still opens', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const { secret, recoveryCodes } = await withApp(stand, mara);
  const { ticket } = await ticketOf(stand.visitor(), mara);
  const guesses = await Promise.all(Array.from({ length: 12 }, () => stand.visitor().refusal(secondFactor, { ticket, code: '000001' })));
  assert.deepEqual(new Set(guesses.map(({ errorCode }) => errorCode)), new Set([722, 761]));
  assert.equal((await stand.visitor().refusal(secondFactor, { ticket, code: codeAt(secret, stand.time) })).errorCode, 722);
  assert.ok(isSession(await stand.visitor().ask(secondFactor, { ticket, recoveryCode: recoveryCodes[3] ?? '' })));
});

test('a recovery code opens once however it is typed; new ones end the old; none is kept in clear', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const { recoveryCodes } = await withApp(stand, mara);
  const [first = '', second = ''] = recoveryCodes;
  const enter = async (recoveryCode: string) =>
    stand.visitor().send(secondFactor, { ticket: (await ticketOf(stand.visitor(), mara)).ticket, recoveryCode });
  assert.equal((await enter(` ${first.toUpperCase().replaceAll('-', ' ')}`)).statusCode, 200);
  assert.equal((await enter(first)).statusCode, 422);
  assert.equal((await mara.ask(signInWays, {})).recoveryCodesLeft, 9);
  const { recoveryCodes: fresh } = await mara.ask(renewRecoveryCodes, {});
  assert.equal((await enter(second)).statusCode, 422);
  assert.equal((await enter(fresh[9] ?? '')).statusCode, 200);
  const stored = JSON.stringify(await stand.services.database.db.selectFrom('recovery_code').selectAll().execute());
  for (const code of fresh) assert.ok(!stored.includes(code) && !stand.log().includes(code));
});

test('a passkey is made, named, used as the second step, and its last use is known', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const key = device(false);
  await withPasskey(mara, 'Key ring', key);
  const browser = stand.visitor();
  const { ticket, kinds } = await ticketOf(browser, mara);
  assert.deepEqual(kinds, ['passkey', 'recovery']);
  const { options } = await browser.ask(passkeyOptions, { ticket });
  stand.time += 5;
  assert.ok(isSession(await browser.ask(secondFactor, { ticket, assertion: key.get(options) })));
  const [passkey] = (await mara.ask(signInWays, {})).passkeys;
  assert.deepEqual([passkey?.name, passkey?.signsIn, passkey?.lastUsedAt], ['Key ring', false, stand.time]);
  await mara.ask(renamePasskey, { passkeyId: passkey?.passkeyId ?? '', name: ' Blue key ' });
  assert.equal((await mara.ask(signInWays, {})).passkeys[0]?.name, 'Blue key');
});

test('a passkey that asks who holds it signs in without a password; one that does not is refused', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const [phone, key] = [await withPasskey(mara, 'Phone'), await withPasskey(mara, 'Key', device(false))];
  const browser = stand.visitor();
  const ask = async (): Promise<string> => (await browser.ask(passkeyOptions, {})).options;
  const options = JSON.parse(await ask()) as { allowCredentials?: unknown; userVerification: string };
  assert.deepEqual([options.allowCredentials, options.userVerification], [undefined, 'required']);
  assert.equal((await browser.refusal(passkeyLogin, { assertion: key.get(await ask()) })).messageCode, 'PASSKEY_REFUSED');
  assert.ok(isSession(await browser.ask(passkeyLogin, { assertion: phone.get(await ask()) })));
  assert.equal((await browser.ask(getSession, {})).loginAccount, mara.email);
});

test('a passkey of another origin, party, challenge, account or counter is refused', async (t) => {
  const stand = await stage(t);
  const [mara, eve] = [await stand.signUp(), await stand.signUp()];
  const phone = await withPasskey(mara, 'Phone');
  const eves = await withPasskey(eve, 'Phone');
  const browser = stand.visitor();
  const ask = async (ticket?: string): Promise<string> =>
    (await browser.ask(passkeyOptions, ticket === undefined ? {} : { ticket })).options;
  const refused = async (assertion: string, what: string): Promise<void> => {
    assert.equal((await browser.refusal(passkeyLogin, { assertion })).messageCode, 'PASSKEY_REFUSED', what);
    assert.equal(browser.cookies.has('sid'), false, what);
  };
  await refused(phone.get(await ask(), { from: 'https://sheaf.example.evil.test' }), 'origin');
  await refused(phone.get(await ask(), { party: 'evil.test' }), 'party');
  await refused(phone.get(JSON.stringify({ challenge: 'c29tZXRoaW5nIGVsc2U' })), 'challenge');
  await refused(device().get(await ask()), 'unknown passkey');
  for (const nonsense of ['', '{', 'null', '{"response":{},"clientExtensionResults":{}}', '[1]']) await refused(nonsense, nonsense);
  const once = phone.get(await ask());
  const replay = await browser.ask(passkeyLogin, { assertion: once });
  assert.ok(isSession(replay));
  browser.cookies.clear();
  await refused(once, 'replayed');
  const late = phone.get(await ask());
  stand.time += 601;
  await refused(late, 'late');
  phone.rewind();
  await refused(phone.get(await ask()), 'counter of a copy');

  const { ticket } = await ticketOf(browser, mara);
  const forMara = await ask(ticket);
  const refusal = await browser.refusal(secondFactor, { ticket, assertion: eves.get(forMara) });
  assert.equal(refusal.messageCode, 'PASSKEY_REFUSED', 'of another account');
  await refused(eves.get(await ask((await ticketOf(browser, eve)).ticket)), 'a challenge of a second step');
  const proof = (await eve.ask(proofOptions, {})).options;
  assert.equal((await mara.refusal(prove, { assertion: phone.get(proof) })).messageCode, 'PASSKEY_REFUSED', "another's proof");
});

test('an attestation for another origin or account, or one that comes twice, makes no passkey', async (t) => {
  const stand = await stage(t);
  const [mara, eve] = [await stand.signUp(), await stand.signUp()];
  const add = async (user: User, attestation: string): Promise<string> =>
    (await user.refusal(addPasskey, { name: 'Phone', attestation })).messageCode;
  const begin = async (user: User): Promise<string> => (await user.ask(beginPasskey, {})).options;
  assert.equal(await add(mara, device().create(await begin(mara), 'https://evil.test')), 'PASSKEY_REFUSED');
  assert.equal(await add(eve, device().create(await begin(mara))), 'PASSKEY_REFUSED');
  const made = device().create(await begin(mara));
  await mara.ask(addPasskey, { name: 'Phone', attestation: made });
  assert.equal(await add(mara, made), 'PASSKEY_REFUSED');
  assert.equal((await mara.ask(signInWays, {})).passkeys.length, 1);
});

test('where the address has no name, or no https, there are no passkeys, and it is said', async (t) => {
  const table: readonly (readonly [address: string, can: boolean])[] = [
    ['http://127.0.0.1:8180', false],
    ['http://[::1]:8180', false],
    ['https://192.0.2.7', false],
    ['http://sheaf.example', false],
    ['http://localhost:8180', true],
    ['https://sheaf.example', true],
  ];
  for (const [address, can] of table) {
    const stand = await stage(t, { SHEAF_PUBLIC_URL: address });
    const mara = await stand.signUp();
    assert.equal((await mara.ask(signInWays, {})).canPasskey, can, address);
    if (!can) assert.equal((await mara.refusal(beginPasskey, {})).messageCode, 'NO_PASSKEYS_HERE', address);
  }
});

test('calls that could take an account over want a fresh proof: password, code or passkey', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const { secret } = await withApp(stand, mara);
  const phone = await withPasskey(mara, 'Phone');
  const { passkeys } = await mara.ask(signInWays, {});
  const passkeyId = passkeys[0]?.passkeyId ?? '';
  stand.time += 601;
  const guarded = [
    await mara.refusal(setPassword, { newPassword: 'another battery staple' }),
    await mara.refusal(removePassword, {}),
    await mara.refusal(beginTotp, {}),
    await mara.refusal(confirmTotp, { code: codeAt(secret, stand.time) }),
    await mara.refusal(removeTotp, {}),
    await mara.refusal(beginPasskey, {}),
    await mara.refusal(removePasskey, { passkeyId }),
    await mara.refusal(renewRecoveryCodes, {}),
  ];
  for (const { errorCode, status } of guarded) assert.deepEqual([errorCode, status], [760, 403]);
  assert.equal((await mara.refusal(prove, { password: 'not it' })).messageCode, 'PASSWORD_WRONG');
  assert.equal((await mara.refusal(prove, { code: '000000' })).errorCode, 761);
  assert.equal((await mara.refusal(renewRecoveryCodes, {})).errorCode, 760);
  const proofs = [
    async () => mara.ask(prove, { password: mara.password }),
    async () => mara.ask(prove, { code: codeAt(secret, stand.time) }),
    async () => mara.ask(prove, { assertion: phone.get((await mara.ask(proofOptions, {})).options) }),
  ];
  for (const give of proofs) {
    stand.time += 601;
    assert.equal((await mara.refusal(renewRecoveryCodes, {})).errorCode, 760);
    await give();
    await mara.ask(renewRecoveryCodes, {});
  }
});

test('the token of a command-line client may touch none of this', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const { authCode } = await mara.ask(createAuthCode, { name: 'Laptop' });
  const { token } = await stand.visitor().ask(makeToken, { authCode });
  const calls = [setPassword, removePassword, beginTotp, confirmTotp, removeTotp, beginPasskey, addPasskey, renamePasskey] as const;
  for (const { path } of [...calls, removePasskey, renewRecoveryCodes, prove, proofOptions]) {
    const payload = { newPassword: 'x'.repeat(12), code: '1', name: 'a', attestation: '{}', passkeyId: 'a', password: mara.password };
    const answer = await stand.visitor().inject({ method: 'POST', url: path, headers: { authorization: `Bearer ${token}` }, payload });
    assert.equal(answer.json<{ errorCode: number }>().errorCode, 104, path);
  }
});

test('a new password by mail does not get around the second step', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const { secret } = await withApp(stand, mara);
  await stand.visitor().ask(forgotPassword, { email: mara.email });
  const browser = stand.visitor();
  await browser.ask(resetPassword, { token: await mailedToken(stand, mara.email, '/login/reset'), password: 'a third battery staple' });
  assert.equal(browser.cookies.has('sid'), false);
  const { ticket } = await ticketOf(browser, { email: mara.email, password: 'a third battery staple' });
  assert.ok(isSession(await browser.ask(secondFactor, { ticket, code: codeAt(secret, stand.time) })));
});

test('without second steps the password is enough again, the recovery codes are gone, and the log tells all of it', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  await withApp(stand, mara);
  await withPasskey(mara, 'Phone');
  await mara.ask(removeTotp, {});
  assert.equal((await mara.ask(signInWays, {})).recoveryCodesLeft, 10, 'the passkey is still there');
  const [{ passkeyId } = { passkeyId: '' }] = (await mara.ask(signInWays, {})).passkeys;
  await mara.ask(removePasskey, { passkeyId });
  assert.equal((await mara.ask(signInWays, {})).recoveryCodesLeft, 0);
  assert.ok(isSession(await stand.visitor().ask(emailLogin, mara)));
  const { entries } = await mara.ask(listAudit, { limit: 50 });
  assert.deepEqual(
    entries.map(({ action, name }) => [action, name]),
    [
      ['account.factorRemoved', 'Phone'],
      ['account.factorRemoved', 'an authenticator app'],
      ['account.factorAdded', 'Phone'],
      ['account.factorAdded', 'an authenticator app'],
    ],
  );
});

test("nobody touches another's passkey, and the only way in cannot be removed", async (t) => {
  const stand = await stage(t);
  const [mara, eve] = [await stand.signUp(), await stand.signUp()];
  assert.equal((await mara.refusal(removePassword, {})).messageCode, 'LAST_WAY_IN');
  await withPasskey(mara, 'Phone');
  const [{ passkeyId } = { passkeyId: '' }] = (await mara.ask(signInWays, {})).passkeys;
  await eve.ask(removePasskey, { passkeyId });
  await eve.ask(renamePasskey, { passkeyId, name: 'mine' });
  assert.deepEqual(
    (await mara.ask(signInWays, {})).passkeys.map(({ name }) => name),
    ['Phone'],
  );
  const removals = await Promise.all([mara.send(removePassword, {}), mara.send(removePasskey, { passkeyId })]);
  assert.deepEqual(new Set(removals.map(({ statusCode }) => statusCode)), new Set([200, 409]), 'one way is left');
});
