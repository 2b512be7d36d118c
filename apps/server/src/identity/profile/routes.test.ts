import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailLogin, expireSessions, getSession, listSessions, sessionInfo, updateMember, verifyEmail } from '@sheaf/contract';
import { createMailLinks } from '#/identity/mails/mail-links.ts';
import { createMailTokenStore } from '#/identity/mails/mail-token-store.ts';
import { testApp } from '#/testing/app.ts';
import { mailAbout, mailedToken, mailsTo } from '#/testing/outbox.ts';

test('name and address change with newName and newEmail; a new address must be verified, and an unverified one is replaced at once [API-65] [ACC-27] [ACC-28]', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  const session = await mara.ask(updateMember, { newName: 'Mara B', newEmail: 'new@example.org' });
  assert.deepEqual([session.loginName, session.loginAccount, session.emailVerified], ['Mara B', 'new@example.org', false]);
  await app.visitor().ask(verifyEmail, { token: await mailedToken(app, 'new@example.org', '/account/verifyemail') });
  assert.equal((await mara.ask(getSession, {})).emailVerified, true);
  await mailAbout(app, mara.email, /address of your account was changed/);
});

test('name and address are trimmed, and each may be left out [ACC-23] [ACC-24]', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp('mara@example.org');
  assert.equal((await mara.ask(updateMember, { newName: '  Mara B ' })).loginName, 'Mara B');
  const same = await mara.ask(updateMember, { newEmail: ' mara@example.org ' });
  assert.deepEqual([same.loginName, same.loginAccount], ['Mara B', 'mara@example.org']);
  assert.equal((await mailsTo(app, 'mara@example.org')).length, 1);
});

test('only the e-mail address is required: without a name the former one stays [ACC-25]', async (t) => {
  const { signUp } = await testApp(t);
  const mara = await signUp();
  const { loginName } = await mara.ask(updateMember, { newName: 'Mara B' });
  for (const newName of ['', '  ']) assert.equal((await mara.ask(updateMember, { newName, newEmail: mara.email })).loginName, loginName);
  assert.equal((await mara.refusal(updateMember, { newName: 'Mara', newEmail: ' ' })).messageCode, 'EMAIL_INVALID');
});

test('a name with a forbidden character is refused with 222 and changes nothing [ACC-29]', async (t) => {
  const { signUp } = await testApp(t);
  const mara = await signUp();
  for (const character of [':', '/', '\\', '<', '>', '?', '*', '|']) {
    const refusal = await mara.refusal(updateMember, { newName: `Ma${character}ra`, newEmail: 'new@example.org' });
    assert.deepEqual([refusal.errorCode, refusal.message], [222, 'Name cannot contain invalid characters : / \\ < > ? * |'], character);
  }
  assert.deepEqual((await mara.ask(getSession, {})).loginAccount, mara.email);
});

test('when many accounts request the same address at once, one gets it and the others learn why not', async (t) => {
  const { signUp } = await testApp(t);
  const people = await Promise.all(Array.from({ length: 6 }, () => signUp()));
  const answers = await Promise.all(people.map((one) => one.send(updateMember, { newEmail: 'wanted@example.org' })));
  assert.deepEqual(answers.map(({ statusCode }) => String(statusCode)).toSorted(), ['200', '409', '409', '409', '409', '409']);
});

test('changes of address, each of which sends two mails, are limited per account and per address', async (t) => {
  const app = await testApp(t);
  const [mara, tom] = [await app.signUp(), await app.signUp()];
  const wanted = 'wanted@example.org';
  for (let change = 0; change < 10; change++) {
    await mara.ask(updateMember, { newEmail: wanted });
    await mara.ask(updateMember, { newEmail: `other-${change}@example.org` });
  }
  assert.equal((await mara.refusal(updateMember, { newEmail: wanted })).messageCode, 'TOO_MANY_TRIES');
  for (let change = 0; change < 10; change++) {
    await tom.ask(updateMember, { newEmail: wanted });
    if (change < 9) await tom.ask(updateMember, { newEmail: tom.email });
  }
  const last = await app.signUp();
  assert.equal((await last.refusal(updateMember, { newEmail: wanted })).messageCode, 'TOO_MANY_TRIES');
});

test('an address that another account has is refused', async (t) => {
  const { signUp } = await testApp(t);
  const [mara, tom] = [await signUp(), await signUp()];
  assert.equal((await mara.refusal(updateMember, { newEmail: tom.email.toUpperCase() })).messageCode, 'EMAIL_TAKEN');
});

test('a link mailed to a former address verifies nothing', async (t) => {
  const app = await testApp(t);
  const mara = await app.signUp();
  const token = await mailedToken(app, mara.email, '/account/verifyemail');
  await mara.ask(updateMember, { newEmail: 'new@example.org' });
  await app.services.background.idle();
  assert.equal((await app.visitor().refusal(verifyEmail, { token })).messageCode, 'TOKEN_SPENT');
});

test('an address that the account gets while the link mailed to the former one is opened stays unverified', async (t) => {
  const app = await testApp(t);
  const { services, config, signUp } = app;
  const user = await signUp('old@example.org');
  const token = await mailedToken(app, user.email, '/account/verifyemail');
  const { accounts } = services;
  const links = createMailLinks({
    store: createMailTokenStore(services.database.db),
    mailer: { send: async () => undefined },
    accounts: {
      ...accounts,
      async get(id) {
        const account = await accounts.get(id);
        await accounts.change(id, undefined, 'new@example.org', false);
        return account;
      },
    },
    publicUrl: config.publicUrl,
    now: () => Math.floor(Date.now() / 1000),
  });
  await assert.rejects(links.spend('verify', token), { messageCode: 'TOKEN_SPENT' });
  assert.equal((await user.ask(getSession, {})).emailVerified, false);
});

test('sessions are listed, the current one marked, and one or all others can be ended', async (t) => {
  const { signUp, visitor } = await testApp(t);
  const mara = await signUp();
  const [phone, tablet] = [visitor(), visitor()];
  for (const device of [phone, tablet]) await device.ask(emailLogin, { email: mara.email, password: mara.password });
  const { sessions } = await phone.ask(listSessions, {});
  assert.equal(sessions.length, 3);
  assert.equal(sessions.filter(({ current }) => current).length, 1);
  await mara.ask(expireSessions, { sessionId: sessions.find(({ current }) => current)?.sessionId ?? '' });
  assert.equal((await phone.refusal(getSession, {})).errorCode, 104);
  await mara.ask(expireSessions, {});
  assert.equal((await tablet.refusal(getSession, {})).errorCode, 104);
  assert.equal((await mara.ask(listSessions, {})).sessions.length, 1);
});

test("nobody can end another account's session, nor see it", async (t) => {
  const { signUp } = await testApp(t);
  const [mara, eve] = [await signUp(), await signUp()];
  const [{ sessionId } = { sessionId: '' }] = (await mara.ask(listSessions, {})).sessions;
  await eve.ask(expireSessions, { sessionId });
  assert.equal((await mara.ask(getSession, {})).loginAccount, mara.email);
  assert.ok((await eve.ask(listSessions, {})).sessions.every((session) => session.sessionId !== sessionId));
});

test('the menu model has items, footer items and whether there is a footer; signed in and signed out differ [NAV-27] [NAV-37] [NAV-38]', async (t) => {
  const { signUp, visitor } = await testApp(t);
  const mara = await signUp();
  const inside = await mara.ask(sessionInfo, {});
  assert.equal(inside.session?.loginAccount, mara.email);
  assert.deepEqual(
    inside.menu.items.map(({ title }) => title),
    [
      'My links',
      'Shared links',
      'Spaces',
      'Encryption',
      'Organisation',
      'Transfers',
      'Link marketplace',
      'Backup',
      'Download',
      'Account',
      'This installation',
    ],
  );
  assert.deepEqual(
    inside.menu.footerItems.map(({ title }) => title),
    ['Forum', 'About', 'Careers'],
  );
  assert.equal(inside.menu.hasFooter, true);
  const outside = await visitor().ask(sessionInfo, {});
  assert.equal(outside.session, undefined);
  assert.deepEqual(
    outside.menu.items.map(({ title }) => title),
    ['About', 'Forum', 'Download', 'Sign in'],
  );
});

test('a trial counts its days, the last one included, and ends as an upgrade', async (t) => {
  let time = 1_800_000_000;
  const { signUp, services } = await testApp(t, { now: () => time });
  const mara = await signUp();
  await services.subscriptions.startTrial({ payerId: mara.userId, actorId: mara.userId, product: 'premium', units: 1 });
  const state = async () => {
    const { upgradeState, expirationDays } = await mara.ask(getSession, {});
    return [upgradeState, expirationDays];
  };
  assert.deepEqual(await state(), ['trial', 7]);
  time += 7 * 86_400 - 10;
  assert.deepEqual(await state(), ['trial', 1]);
  time += 10;
  assert.deepEqual(await state(), ['upgrade', undefined]);
});
