import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { allLinks, getNotices, setNotices } from '@sheaf/contract';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { addSftp, linkApp, listRoot } from '#/testing/links.ts';
import { mailsTo } from '#/testing/outbox.ts';
import { createNotices } from './service.ts';
import { createNoticeStore } from './store.ts';

const hour = 3600;
const day = 86_400;

async function setting(t: TestContext, settings: Readonly<Record<string, string>> = {}) {
  let time = 1_800_000_000;
  const app = await linkApp(t, { now: () => time, settings });
  const { db } = app.services.database;
  await db.updateTable('account').set({ verifiedAt: 1 }).execute();
  /** Reads the link's root, ignoring the outcome, so that its state is known. */
  const look = async (userLinkId: string): Promise<void> => {
    await Promise.allSettled([listRoot(app, userLinkId)]);
    await app.services.background.idle();
  };
  const round = async (seconds = 0): Promise<string[]> => {
    time += seconds;
    await app.services.notices.send();
    return (await mailsTo(app, app.user.email)).filter((mail) => /attention|trial/.test(mail.split('\n')[1] ?? ''));
  };
  return { ...app, db, look, round, pass: (seconds: number) => void (time += seconds) };
}

test('a link that has not worked for an hour is reported once, in one mail with others, and again only in another week', async (t) => {
  const { user, refuse, look, round } = await setting(t);
  const first = await addSftp(user, 'NAS');
  const second = await addSftp(user, 'Attic', { server: 'attic.example' });
  refuse('unreachable');
  await look(first.userLinkId);
  await look(second.userLinkId);
  assert.deepEqual(await round(), []);
  assert.deepEqual(await round(hour - 1), []);
  const [mail, ...more] = await round(1);
  assert.match(mail ?? '', /^Subject: 2 links need attention$/m);
  assert.match(mail ?? '', /^NAS: Cannot connect to SFTP server\./m);
  assert.match(mail ?? '', /^Attic: Cannot connect/m);
  assert.deepEqual(more, []);
  assert.equal((await round(8 * day)).length, 1, 'the same trouble is not told again');

  refuse();
  await look(first.userLinkId);
  await round();
  refuse('unreachable');
  await look(first.userLinkId);
  await round();
  assert.match((await round(hour)).at(-1) ?? '', /^Subject: The link NAS needs attention$/m);
  refuse();
  await look(first.userLinkId);
  await round(60);
  refuse('unreachable');
  await look(first.userLinkId);
  await round(60);
  assert.equal((await round(hour)).length, 2, 'another trouble in the same week is not told');
});

test('two instances mail about a link once, and a mail that could not be queued is queued in the next round', async (t) => {
  const { user, refuse, look, services, config, db } = await setting(t);
  const { userLinkId } = await addSftp(user, 'NAS');
  await services.background.idle();
  refuse('unreachable');
  await look(userLinkId);
  await services.notices.send();
  let sent = 0;
  const working: Mailer = { send: async () => void (sent += 1) };
  const broken: Mailer = { send: () => Promise.reject(new Error('no database')) };
  const another = (mailer = working, onTrouble: (error: unknown) => void = (error) => assert.fail(String(error))) =>
    createNotices({
      store: createNoticeStore(db),
      mailer,
      billingTime: async () => 1_800_000_000,
      publicUrl: config.publicUrl,
      now: () => 1_800_000_000 + hour + 60,
      onTrouble,
    });
  const troubles: unknown[] = [];
  assert.equal((await another(broken, (error) => troubles.push(error)).send()).length, 1);
  assert.equal(troubles.length, 1);
  await Promise.all([another().send(), another().send()]);
  assert.equal(sent, 1);
});

test('neither an account that turned off mails about links nor an unverified address receives one', async (t) => {
  const { user, refuse, look, round, db } = await setting(t);
  const { userLinkId } = await addSftp(user, 'NAS');
  assert.deepEqual(await user.ask(getNotices, {}), { links: true });
  assert.deepEqual(await user.ask(setNotices, { links: false }), { links: false });
  assert.deepEqual(await user.ask(getNotices, {}), { links: false });
  refuse('unauthorized');
  await look(userLinkId);
  await round();
  assert.deepEqual(await round(hour), []);
  await user.ask(setNotices, { links: true });
  await db.updateTable('account').set({ verifiedAt: null }).execute();
  assert.deepEqual(await round(), []);
  assert.equal((await user.ask(allLinks, {})).activeSources[0]?.links[0]?.state, 'attention');
});

test('an account that is about to be closed receives nothing, and what still holds once it is kept', async (t) => {
  const { user, refuse, look, round, services, db } = await setting(t);
  await services.subscriptions.startTrial({ payerId: user.userId, actorId: user.userId, product: 'premium', units: 1 });
  const { userLinkId } = await addSftp(user, 'NAS');
  refuse('unreachable');
  await look(userLinkId);
  await db.updateTable('account').set({ closesAt: 2_000_000_000 }).execute();
  assert.deepEqual(await round(), []);
  assert.deepEqual(await round(5 * day), []);
  await db.updateTable('account').set({ closesAt: null }).execute();
  assert.deepEqual(
    (await round()).map((mail) => mail.split('\n')[1]),
    ['Subject: The link NAS needs attention', 'Subject: Your free trial of Premium ends in 2 days'],
  );
});

test('a mail announces the end of a trial three days before and on the last day, once each', async (t) => {
  const { user, round, services } = await setting(t);
  await services.subscriptions.startTrial({ payerId: user.userId, actorId: user.userId, product: 'premium', units: 1 });
  const trials = async (seconds: number) =>
    (await round(seconds)).filter((mail) => mail.includes('trial of Premium')).map((mail) => mail.split('\n')[1]);
  assert.deepEqual(await trials(4 * day - 1), []);
  const soon = 'Subject: Your free trial of Premium ends in 3 days';
  assert.deepEqual(await trials(1), [soon]);
  assert.deepEqual(await trials(day), [soon]);
  const last = 'Subject: Your free trial of Premium ends today';
  assert.deepEqual(await trials(day), [soon, last]);
  assert.deepEqual(await trials(hour), [soon, last]);
});
