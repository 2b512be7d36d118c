import assert from 'node:assert/strict';
import { test } from 'node:test';
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
import { mailedToken } from '#/testing/outbox.ts';
import { codeAt, stage, ticketOf, withApp, withPasskey } from '#/testing/second-factors.ts';

test('an authenticator app is active once a code of it was entered, and comes with ten recovery codes', async (t) => {
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

test('after the password a code is requested, and only with it there is a session', async (t) => {
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

test('of two concurrent sign-ins with the same code one succeeds', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const { secret } = await withApp(stand, mara);
  const tickets = [await ticketOf(stand.visitor(), mara), await ticketOf(stand.visitor(), mara)];
  const code = codeAt(secret, stand.time);
  const answers = await Promise.all(tickets.map(({ ticket }) => stand.visitor().send(secondFactor, { ticket, code })));
  assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200, 422]));
});

test('a ticket is valid for one sign-in, ten minutes, one account and one password', async (t) => {
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
  await mara.ask(prove, { code: codeAt(secret, stand.time) });
  await mara.ask(setPassword, { newPassword: 'another battery staple' });
  assert.equal(await wrong(stale.ticket, recoveryCodes[0]), 'SIGN_IN_AGAIN', 'older than the password');
  assert.equal((await mara.ask(signInWays, {})).recoveryCodesLeft, 10);
});

test('guessing codes is rate-limited, and a recovery code still works', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const { secret, recoveryCodes } = await withApp(stand, mara);
  const { ticket } = await ticketOf(stand.visitor(), mara);
  const guesses = await Promise.all(Array.from({ length: 12 }, () => stand.visitor().refusal(secondFactor, { ticket, code: '000001' })));
  assert.deepEqual(new Set(guesses.map(({ errorCode }) => errorCode)), new Set([722, 761]));
  assert.equal((await stand.visitor().refusal(secondFactor, { ticket, code: codeAt(secret, stand.time) })).errorCode, 722);
  assert.ok(isSession(await stand.visitor().ask(secondFactor, { ticket, recoveryCode: recoveryCodes[3] ?? '' })));
});

test('a recovery code works once however it is typed; new ones revoke the old ones; none is stored in the clear', async (t) => {
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

test('calls that could take over an account need reauthentication, which with a second factor is that factor and not the password', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  const { secret, recoveryCodes } = await withApp(stand, mara);
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
  assert.equal((await mara.refusal(prove, { password: mara.password })).messageCode, 'SECOND_STEP_NEEDED');
  assert.equal((await mara.refusal(prove, { recoveryCode: 'aaaa-bbbb' })).errorCode, 761);
  assert.equal((await mara.refusal(prove, { code: '000000' })).errorCode, 761);
  assert.equal((await mara.refusal(renewRecoveryCodes, {})).errorCode, 760);
  const proofs = [
    async () => mara.ask(prove, { code: codeAt(secret, stand.time) }),
    async () => mara.ask(prove, { assertion: phone.get((await mara.ask(proofOptions, {})).options) }),
    async () => mara.ask(prove, { recoveryCode: fresh[0] ?? '' }),
  ];
  let fresh = recoveryCodes;
  for (const give of proofs) {
    stand.time += 601;
    assert.equal((await mara.refusal(renewRecoveryCodes, {})).errorCode, 760);
    await give();
    fresh = (await mara.ask(renewRecoveryCodes, {})).recoveryCodes;
  }
});

test('without a second factor the password reauthenticates, and a reauthentication in another session ends with the first second factor', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  stand.time += 601;
  const thief = stand.visitor();
  await thief.ask(emailLogin, { email: mara.email, password: mara.password });
  assert.equal((await mara.refusal(prove, { password: 'not it' })).messageCode, 'PASSWORD_WRONG');
  await mara.ask(prove, { password: mara.password });
  await withApp(stand, mara);
  assert.equal((await thief.refusal(removeTotp, {})).errorCode, 760);
  assert.equal((await thief.refusal(prove, { password: mara.password })).errorCode, 783);
  assert.equal((await thief.refusal(removeTotp, {})).errorCode, 760);
  await mara.ask(removeTotp, {});
});

test('the token of a command-line client may use none of this', async (t) => {
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

test('a password reset by mail does not bypass the second factor of an account whose address is verified', async (t) => {
  const stand = await stage(t);
  const mara = await stand.signUp();
  await stand.services.accounts.markVerified({ id: mara.userId, email: mara.email });
  const { secret } = await withApp(stand, mara);
  await stand.visitor().ask(forgotPassword, { email: mara.email });
  const browser = stand.visitor();
  await browser.ask(resetPassword, { token: await mailedToken(stand, mara.email, '/login/reset'), password: 'a third battery staple' });
  assert.equal(browser.cookies.has('sid'), false);
  const { ticket } = await ticketOf(browser, { email: mara.email, password: 'a third battery staple' });
  assert.ok(isSession(await browser.ask(secondFactor, { ticket, code: codeAt(secret, stand.time) })));
});

test('verifying an address that somebody registered in advance signs in, and the earlier passkeys and codes open nothing', async (t) => {
  const stand = await stage(t);
  const squatter = await stand.signUp('mara@example.org');
  await withApp(stand, squatter);
  const phone = await withPasskey(squatter, 'Phone');
  const owner = stand.visitor();
  await owner.ask(forgotPassword, { email: squatter.email });
  const password = 'a third battery staple';
  await owner.ask(resetPassword, { token: await mailedToken(stand, squatter.email, '/login/reset'), password });
  assert.ok(isSession(await owner.ask(emailLogin, { email: squatter.email, password })), 'no code of a stranger is asked for');
  const { options } = await stand.visitor().ask(passkeyOptions, {});
  assert.equal((await stand.visitor().refusal(passkeyLogin, { assertion: phone.get(options) })).messageCode, 'PASSKEY_REFUSED');
  const { passkeys, totpSince, recoveryCodesLeft } = await owner.ask(signInWays, {});
  assert.deepEqual([passkeys, totpSince, recoveryCodesLeft], [[], undefined, 0]);
});
