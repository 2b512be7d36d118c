import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  confirmSignup,
  emailLogin,
  emailSignup,
  forgotPassword,
  getSession,
  isSession,
  resendVerification,
  updateMember,
  verifyEmail,
} from '@sheaf/contract';
import { type Smtp, startSmtp } from '@sheaf/testbed';
import type { LightMyRequestResponse } from 'fastify';
import { type User, type Visitor, testApp } from '#/testing/app.ts';

const password = 'correct horse battery';

/** An installation that sends mails; the mail server refuses mailboxes named dead@... and gone@... */
async function stage(t: TestContext) {
  const smtp = await startSmtp({ unknown: ['dead@example.org', 'gone@example.org'] });
  t.after(() => smtp.stop());
  const clock = { time: 1_800_000_000 };
  const app = await testApp(t, { settings: { SHEAF_SMTP_URL: smtp.url }, now: () => clock.time });
  return Object.assign(clock, { ...app, smtp });
}
type Stage = Awaited<ReturnType<typeof stage>>;

/** Text of the newest mail to that address, once all mails are sent. */
async function mailTo({ services, smtp }: { services: Stage['services']; smtp: Smtp }, address: string): Promise<string> {
  await services.background.idle();
  return (await smtp.mailTo(address)).source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
}

/** Parameters in the hash of the mailed link. */
async function linkTo(stand: Stage, address: string): Promise<URLSearchParams> {
  const link = /verifyemail#(\S+)/.exec(await mailTo(stand, address))?.[1];
  assert.ok(link, `a link is mailed to ${address}`);
  return new URLSearchParams(link);
}
const signUpToken = async (stand: Stage, address: string): Promise<string> => (await linkTo(stand, address)).get('signUp') ?? '';

/** The parts of an answer that could reveal something: without what was sent, random values and the time. */
function told({ statusCode, body, headers }: LightMyRequestResponse, sent: string) {
  const { 'set-cookie': cookie, 'content-length': length, date: _, 'x-request-id': _id, ...rest } = headers;
  assert.equal(Number(length), Buffer.byteLength(body));
  const cookies = [cookie ?? []].flat().map((one) => one.replace(/^(\w+)=[^;]+/, '$1='));
  return { statusCode, body: body.replaceAll(sent, '<address>'), cookies, headers: rest };
}

const signUp = (visitor: Visitor, email: string) => visitor.send(emailSignup, { name: 'Mara', email, password });

test('signing up answers alike for a free, a taken, a disabled and an undeliverable address, the last with or without an account; only the mails differ', async (t) => {
  const stand = await stage(t);
  await stand.signUp('taken@example.org');
  await stand.signUp('gone@example.org');
  const disabled = await stand.signUp('disabled@example.org');
  await stand.services.database.db.updateTable('account').set({ disabledAt: 1 }).where('id', '=', disabled.userId).execute();
  const answers = new Map<string, unknown>();
  for (const email of ['free@example.org', 'taken@example.org', 'disabled@example.org', 'dead@example.org', 'gone@example.org'])
    answers.set(email, told(await signUp(stand.visitor(), email), email));
  const free = answers.get('free@example.org');
  for (const [email, answer] of answers) assert.deepEqual(answer, free, email);
  assert.match(JSON.stringify(free), /mailedTo/);
  assert.match(await mailTo(stand, 'taken@example.org'), /You already have a Sheaf account/);
  assert.match(await mailTo(stand, 'free@example.org'), /Confirm your e-mail address/);
});

test('neither signing in nor a forgotten password reveals whether an address that was signed up had an account', async (t) => {
  const stand = await stage(t);
  await stand.signUp('taken@example.org');
  const visitor = stand.visitor();
  const answers: unknown[] = [];
  for (const email of ['free@example.org', 'taken@example.org']) {
    await signUp(visitor, email);
    await stand.services.background.idle();
    const signIn = await visitor.send(emailLogin, { email, password: 'what was typed at sign-up' });
    answers.push([told(signIn, email), told(await visitor.send(forgotPassword, { email }), email)]);
  }
  assert.deepEqual(answers[0], answers[1]);
  assert.equal(await stand.services.accounts.findByEmail('free@example.org'), undefined);
  assert.equal((await visitor.refusal(emailLogin, { email: 'free@example.org', password })).errorCode, 422);
});

test('the mailed link opens the account once, signs in the browser that signed up, and leads to its target', async (t) => {
  const stand = await stage(t);
  const mara = stand.visitor();
  const redirectUrl = '/invitation/space?token=abc&x=1';
  await mara.ask(emailSignup, { name: 'Mara', email: 'Mara@example.org', password, redirectUrl });
  const link = await linkTo(stand, 'Mara@example.org');
  assert.equal(link.get('to'), redirectUrl);
  const token = link.get('signUp') ?? '';
  const session = await mara.ask(confirmSignup, { token });
  assert.ok(isSession(session));
  assert.deepEqual([session.loginAccount, session.loginName, session.emailVerified], ['Mara@example.org', 'Mara', true]);
  assert.equal((await mara.ask(getSession, {})).loginAccount, 'Mara@example.org');
  assert.equal((await mara.refusal(confirmSignup, { token })).messageCode, 'TOKEN_SPENT');
  assert.ok(isSession(await stand.visitor().ask(emailLogin, { email: 'mara@example.org', password })));
});

test('a target on another site is not mailed', async (t) => {
  const stand = await stage(t);
  await stand.visitor().ask(emailSignup, { email: 'mara@example.org', password, redirectUrl: 'https://evil.example/' });
  assert.equal((await linkTo(stand, 'mara@example.org')).get('to'), null);
});

test('in another browser the link asks for the password: somebody who reads the mail cannot open an account with a stranger’s password', async (t) => {
  const stand = await stage(t);
  await signUp(stand.visitor(), 'victim@example.org');
  const token = await signUpToken(stand, 'victim@example.org');
  const victim = stand.visitor();
  assert.deepEqual(await victim.ask(confirmSignup, { token }), { passwordOf: 'victim@example.org' });
  assert.equal((await victim.refusal(confirmSignup, { token, password: 'a wrong guess' })).errorCode, 422);
  assert.equal(await stand.services.accounts.findByEmail('victim@example.org'), undefined);
  assert.ok(isSession(await victim.ask(confirmSignup, { token, password })));
});

test('a sign-up link expires after a day, and the first of two accounts for one address stays', async (t) => {
  const stand = await stage(t);
  const [first, second] = [stand.visitor(), stand.visitor()];
  await signUp(first, 'mara@example.org');
  const one = await signUpToken(stand, 'mara@example.org');
  await signUp(second, 'mara@example.org');
  const other = await signUpToken(stand, 'mara@example.org');
  assert.ok(isSession(await second.ask(confirmSignup, { token: other })));
  assert.equal((await first.refusal(confirmSignup, { token: one })).messageCode, 'EMAIL_TAKEN');
  await signUp(first, 'late@example.org');
  const late = await signUpToken(stand, 'late@example.org');
  stand.time += 86_400;
  assert.equal((await first.refusal(confirmSignup, { token: late })).messageCode, 'TOKEN_SPENT');
});

test('an address receives at most five sign-up mails an hour, no matter who asks; the answer stays the same', async (t) => {
  const stand = await stage(t);
  for (let index = 0; index < 7; index++) assert.equal((await signUp(stand.visitor(), 'mara@example.org')).statusCode, 200);
  await stand.services.background.idle();
  assert.equal(stand.smtp.mails.length, 5);
  assert.doesNotMatch(stand.log(), /background task failed/);
});

for (const state of ['proven', 'unproven']) {
  test(`requesting another address answers alike for a free, a taken and an undeliverable one, for an account whose own is ${state}`, async (t) => {
    const stand = await stage(t);
    await stand.signUp('taken@example.org');
    await stand.signUp('gone@example.org');
    const mara = await stand.signUp('mara@example.org');
    if (state === 'proven') await stand.services.accounts.markVerified({ id: mara.userId, email: mara.email });
    const ask = async (newEmail: string) => {
      const changed = told(await mara.send(updateMember, { newEmail }), newEmail);
      const resent = told(await mara.send(resendVerification, {}), newEmail);
      return [changed, resent, told(await mara.send(getSession, {}), newEmail)];
    };
    const free = await ask('free@example.org');
    for (const email of ['taken@example.org', 'dead@example.org', 'gone@example.org']) assert.deepEqual(await ask(email), free, email);
    assert.match(JSON.stringify(free), /"pendingEmail\\":\\"<address>/);
    assert.match(await mailTo(stand, 'taken@example.org'), /given for another Sheaf account/);
    assert.doesNotMatch(await mailTo(stand, 'taken@example.org'), /verifyemail/);
    await confirmFree(stand, mara);
  });
}

/** Confirms the link, which creates the account. */
async function confirmFree(stand: Stage, user: User): Promise<void> {
  await user.ask(updateMember, { newEmail: 'other@example.org' });
  await user.ask(verifyEmail, { token: (await linkTo(stand, 'other@example.org')).get('token') ?? '' });
  const { loginAccount, emailVerified } = await user.ask(getSession, {});
  assert.deepEqual([loginAccount, emailVerified], ['other@example.org', true]);
}
