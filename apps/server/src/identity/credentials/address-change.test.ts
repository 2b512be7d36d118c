import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  closeAccount,
  emailLogin,
  forgotPassword,
  getSession,
  isSession,
  listAudit,
  resendVerification,
  resetPassword,
  setPassword,
  updateMember,
  verifyEmail,
} from '@sheaf/contract';
import { type TestApp, type User, testApp } from '#/testing/app.ts';
import { mailAbout, mailedToken, mailsTo } from '#/testing/outbox.ts';

const day = 86_400;
const page = '/account/verifyemail';
const wanted = 'New.Mara@example.org';

const confirm = async (app: TestApp, user: User, email = user.email) =>
  user.ask(verifyEmail, { token: await mailedToken(app, email, page) });
const refusal = async (user: User, token: string) => (await user.refusal(verifyEmail, { token })).messageCode;
const addresses = async (user: User) => {
  const { loginAccount, pendingEmail, emailVerified } = await user.ask(getSession, {});
  return { loginAccount, pendingEmail, emailVerified };
};
/** The session of an account with a verified address, with or without another that waits for confirmation. */
const proven = (loginAccount: string, pendingEmail?: string) => ({ loginAccount, pendingEmail, emailVerified: true });

/** Mara, whose address is verified. */
async function stage(t: TestContext) {
  const clock = { time: 1_800_000_000 };
  const app = await testApp(t, { now: () => clock.time });
  const mara = await app.signUp();
  await confirm(app, mara);
  return Object.assign(clock, { ...app, mara });
}

test('a verified address stays until the new one is verified: it signs in, receives the mails and resets the password; then they swap', async (t) => {
  const stand = await stage(t);
  const { mara, visitor, services } = stand;
  const { email: former, password } = mara;
  const asked = await mara.ask(updateMember, { newEmail: ` ${wanted} ` });
  assert.deepEqual([asked.loginAccount, asked.pendingEmail, asked.emailVerified], [former, wanted, true]);
  await mailAbout(stand, former, /gets the address New\.Mara@example\.org as soon as it is confirmed/);
  assert.equal(await services.accounts.findByEmail(wanted), undefined);
  assert.equal((await visitor().refusal(emailLogin, { email: wanted, password })).errorCode, 422);
  assert.ok(isSession(await visitor().ask(emailLogin, { email: former, password })));
  for (const email of [wanted, former]) await visitor().ask(forgotPassword, { email });
  const reset = await mailedToken(stand, former, '/login/reset');
  assert.equal((await mailsTo(stand, wanted)).length, 1);

  assert.deepEqual(await confirm(stand, mara, wanted), { email: wanted });
  assert.deepEqual(await addresses(mara), proven(wanted));
  await mailAbout(stand, former, /address of your account was changed/);
  assert.equal((await visitor().refusal(resetPassword, { token: reset, password: 'a whole new password' })).messageCode, 'TOKEN_SPENT');
  assert.equal((await visitor().refusal(emailLogin, { email: former, password })).errorCode, 422);
  assert.ok(isSession(await visitor().ask(emailLogin, { email: wanted, password })));
  const { entries } = await mara.ask(listAudit, { limit: 1 });
  assert.deepEqual([entries[0]?.action, entries[0]?.name], ['account.email', wanted]);
});

test('of two requested addresses the later one is pending; requesting the current address leaves none pending', async (t) => {
  const stand = await stage(t);
  const { mara } = stand;
  await mara.ask(updateMember, { newEmail: 'typo@example.org' });
  const typo = await mailedToken(stand, 'typo@example.org', page);
  await mara.ask(updateMember, { newEmail: wanted });
  assert.deepEqual(await addresses(mara), proven(mara.email, wanted));
  assert.equal(await refusal(mara, typo), 'TOKEN_SPENT');
  const token = await mailedToken(stand, wanted, page);
  await mara.ask(updateMember, { newName: 'Mara B' });
  assert.deepEqual(await addresses(mara), proven(mara.email, wanted));
  stand.time += 601;
  await mara.ask(updateMember, { newEmail: mara.email });
  assert.deepEqual(await addresses(mara), proven(mara.email));
  assert.equal(await refusal(mara, token), 'TOKEN_SPENT');
});

test('the link is sent again to the pending address with a new expiry, after which the address is no longer pending', async (t) => {
  const stand = await stage(t);
  const { mara } = stand;
  await mara.ask(updateMember, { newEmail: wanted });
  const first = await mailedToken(stand, wanted, page);
  stand.time += 7 * day - 1;
  await mara.ask(resendVerification, {});
  const second = await mailedToken(stand, wanted, page);
  assert.equal(await refusal(mara, first), 'TOKEN_SPENT');
  stand.time += 7 * day - 1;
  assert.deepEqual(await addresses(mara), proven(mara.email, wanted));
  stand.time += 1;
  assert.deepEqual(await addresses(mara), proven(mara.email));
  assert.equal(await refusal(mara, second), 'TOKEN_SPENT');
  await mara.ask(resendVerification, {});
  assert.equal((await mailsTo(stand, wanted)).length, 2);
});

test('a pending address is reserved for nobody: whoever has it by then keeps it, and the account keeps its own', async (t) => {
  const stand = await stage(t);
  const { mara } = stand;
  await mara.ask(updateMember, { newEmail: wanted });
  const token = await mailedToken(stand, wanted, page);
  const owner = await stand.signUp(wanted.toLowerCase());
  assert.equal(await refusal(mara, token), 'EMAIL_TAKEN');
  assert.deepEqual(await addresses(mara), proven(mara.email));
  assert.equal(await refusal(mara, token), 'TOKEN_SPENT');
  assert.equal((await addresses(owner)).loginAccount, owner.email);
  assert.equal((await mara.refusal(updateMember, { newEmail: wanted })).messageCode, 'EMAIL_TAKEN');
});

test('reading the mail of a mistyped address does not give access to the account; its owner, signed in, can still confirm it', async (t) => {
  const stand = await stage(t);
  const { mara, visitor } = stand;
  await mara.ask(updateMember, { newEmail: wanted });
  const token = await mailedToken(stand, wanted, page);
  assert.equal((await visitor().refusal(verifyEmail, { token })).messageCode, 'NOT_THE_ACCOUNT');
  assert.equal(await refusal(await stand.signUp(), token), 'NOT_THE_ACCOUNT');
  assert.deepEqual(await addresses(mara), proven(mara.email, wanted));
  assert.deepEqual(await mara.ask(verifyEmail, { token }), { email: wanted });
  assert.deepEqual(await addresses(mara), proven(wanted));
});

test('of two accounts with the same pending address, one gets it when both links are opened at the same moment', async (t) => {
  const stand = await stage(t);
  const tom = await stand.signUp();
  await confirm(stand, tom);
  const opening: (() => ReturnType<User['send']>)[] = [];
  for (const one of [stand.mara, tom]) {
    await one.ask(updateMember, { newEmail: wanted });
    const token = await mailedToken(stand, wanted, page);
    opening.push(() => one.send(verifyEmail, { token }));
  }
  const answers = await Promise.all(opening.map((open) => open()));
  assert.deepEqual(answers.map(({ statusCode }) => String(statusCode)).toSorted(), ['200', '409']);
  const now = [(await addresses(stand.mara)).loginAccount, (await addresses(tom)).loginAccount];
  assert.equal(now.filter((email) => email === wanted).length, 1);
});

test('the same address in other letters is pending like every other, and is not another account', async (t) => {
  const stand = await stage(t);
  const { mara } = stand;
  const loud = mara.email.toUpperCase();
  assert.equal((await mara.ask(updateMember, { newEmail: loud })).loginAccount, mara.email);
  await confirm(stand, mara, loud);
  assert.deepEqual(await addresses(mara), proven(loud));
});

test('a new password, by mail or in the profile, cancels a pending address: somebody else may have requested it', async (t) => {
  const stand = await stage(t);
  const { mara, visitor } = stand;
  await mara.ask(updateMember, { newEmail: 'thief@example.org' });
  const first = await mailedToken(stand, 'thief@example.org', page);
  await mara.ask(setPassword, { newPassword: 'a whole new password' });
  assert.equal(await refusal(mara, first), 'TOKEN_SPENT');
  await mara.ask(updateMember, { newEmail: 'thief@example.org' });
  const second = await mailedToken(stand, 'thief@example.org', page);
  await visitor().ask(forgotPassword, { email: mara.email });
  await visitor().ask(resetPassword, { token: await mailedToken(stand, mara.email, '/login/reset'), password: 'yet another password' });
  assert.equal(await refusal(mara, second), 'TOKEN_SPENT');
});

test('closing an account uses its verified address and cancels the pending one', async (t) => {
  const stand = await stage(t);
  const { mara } = stand;
  const { email, password } = mara;
  await mara.ask(updateMember, { newEmail: wanted });
  const token = await mailedToken(stand, wanted, page);
  assert.equal((await mara.refusal(closeAccount, { email: wanted, password })).messageCode, 'EMAIL_DIFFERS');
  await mara.ask(closeAccount, { email, password });
  await mailAbout(stand, email, /your account will be closed/);
  assert.equal(await refusal(mara, token), 'TOKEN_SPENT');
});
