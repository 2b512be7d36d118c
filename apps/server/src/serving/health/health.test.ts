import assert from 'node:assert/strict';
import { test } from 'node:test';
import { familyCalls, makeBackup, remoteUpdate, sendTestMail, showHealth } from '@sheaf/contract';
import { freePort, startSmtp } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { testEngine } from '#/testing/database.ts';
import { draftOf, linkApp, sftpInfo } from '#/testing/links.ts';
import { mailAbout } from '#/testing/outbox.ts';

test('only the operator sees the health of the installation', async (t) => {
  let ahead = 0;
  const now = () => Math.floor(Date.now() / 1000) + ahead;
  const { app, ...stand } = await testApp(t, { settings: { SHEAF_OPERATORS: 'mara@example.org' }, now });
  const mara = await stand.signUp('mara@example.org');
  await stand.services.accounts.markVerified({ id: mara.userId, email: mara.email });
  const noor = await stand.signUp('noor@example.org');
  for (const call of [showHealth, sendTestMail]) assert.equal((await noor.refusal(call, {})).messageCode, 'NOT_OPERATOR');
  const { database, disk, ...first } = await mara.ask(showHealth, {});
  assert.equal(database.kind, testEngine === 'postgres' ? 'postgres' : 'sqlite');
  assert.ok(database.bytes > 100_000 && database.answer >= 0);
  assert.ok(disk.total > disk.free && disk.free > 0);
  assert.ok(first.startedAt <= first.now && first.now <= now());
  assert.deepEqual([first.failingJobs, first.backupAt, first.mailServer], [0, undefined, undefined]);
  const others = first.problems
    .map(({ problem }) => problem)
    .filter((problem) => problem !== 'diskLow' && problem !== 'databaseSlow' && problem !== 'fileLimitLow');
  assert.deepEqual(others, []);
  const { backup } = await mara.ask(makeBackup, {});
  assert.equal((await mara.ask(showHealth, {})).backupAt, backup.madeAt);
  ahead = 2 * 86_400 + 60;
  assert.ok((await mara.ask(showHealth, {})).problems.some(({ problem }) => problem === 'backupOld'));
  assert.deepEqual(await mara.ask(sendTestMail, {}), { to: mara.email });
  await mailAbout({ app, ...stand }, mara.email, /A test letter from Sheaf/);
});

test('a test mail goes to the mail server at once, and an error quotes what the server said', async (t) => {
  const smtp = await startSmtp();
  t.after(() => smtp.stop());
  const settings = {
    SHEAF_SMTP_URL: smtp.url,
    SHEAF_PUBLIC_URL: 'http://sheaf.example',
    SHEAF_OPERATORS: 'mara@example.org',
    SHEAF_SIGNUP: 'open',
  };
  const { signUp, services } = await testApp(t, { settings });
  const mara = await signUp('mara@example.org');
  await services.accounts.markVerified({ id: mara.userId, email: mara.email });
  const health = await mara.ask(showHealth, {});
  assert.equal(health.mailServer, new URL(smtp.url).host);
  assert.ok(
    health.problems.some(({ problem }) => problem === 'plainHttp') && !health.problems.some(({ problem }) => problem === 'mailOnDisk'),
  );
  await mara.ask(sendTestMail, {});
  assert.ok(smtp.mails.some(({ to, source }) => to.includes(mara.email) && source.includes('A test letter')));

  const silent = await testApp(t, { settings: { ...settings, SHEAF_SMTP_URL: `smtp://127.0.0.1:${await freePort()}` } });
  const eve = await silent.signUp('mara@example.org');
  await silent.services.accounts.markVerified({ id: eve.userId, email: eve.email });
  const refusal = await eve.refusal(sendTestMail, {});
  assert.deepEqual([refusal.messageCode, refusal.errorCode], ['MAIL_FAILED', 874]);
  assert.match(refusal.message, /ECONNREFUSED/);
});

test('the health shows the answers of each provider in the last hour, and which of them asked for fewer requests', async (t) => {
  const { user, refuse, services } = await linkApp(t, { settings: { SHEAF_OPERATORS: 'mara@example.org' } });
  await services.db.updateTable('account').set({ emailKey: 'mara@example.org', verifiedAt: 1 }).where('id', '=', user.userId).execute();
  assert.deepEqual((await user.ask(showHealth, {})).providers, []);
  const { linkUri } = await user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { linkName: 'NAS' }));
  const look = { linkUri, sort: 'name', order: 'asc', fresh: true, refresh: false, limit: 25 } as const;
  await user.ask(remoteUpdate, look);
  refuse('rateLimited');
  await user.refusal(remoteUpdate, look);
  const [load, ...more] = (await user.ask(showHealth, {})).providers;
  assert.ok(load);
  assert.deepEqual([load.source, load.failed, more], ['SFTP', 1, []]);
  assert.ok(load.calls > 1 && load.limited > 0 && load.limitedAt !== undefined);
});
