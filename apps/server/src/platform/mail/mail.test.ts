import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { closeOrg, emailSignup, showOrg, updateMember, verifyEmail } from '@sheaf/contract';
import { startSmtp } from '@sheaf/testbed';
import { createLog } from '#/platform/log.ts';
import { testApp } from '#/testing/app.ts';
import { resetMail, verifyMail } from './mails.ts';
import { createOutbox } from './outbox.ts';
import { createSmtp } from './smtp.ts';

const link = 'http://sheaf.test/login/reset#token=abc';

test('the outbox keeps mails for its owner only, and the log names the file without its content', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-outbox-'));
  t.after(() => rm(folder, { recursive: true }));
  let logged = '';
  const outbox = createOutbox(join(folder, 'outbox'), createLog('info', { write: (line: string) => void (logged += line) }));
  await outbox.send({ to: 'mara@example.org', ...resetMail('Mara', link) }, 'one');
  const [name = ''] = await readdir(join(folder, 'outbox'));
  const file = join(folder, 'outbox', name);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(join(folder, 'outbox'))).mode & 0o777, 0o700);
  assert.match(await readFile(file, 'utf8'), /^To: mara@example\.org\nSubject: .+\n\nHello Mara,/);
  assert.ok(logged.includes(name) && !logged.includes('token') && !logged.includes('mara@example.org'));
});

test('a mail server gets each mail as text and as HTML', async (t) => {
  const server = await startSmtp({ user: 'sheaf', password: 'p@ss word' });
  t.after(() => server.stop());
  const mailer = createSmtp(server.url, 'Sheaf <sheaf@example.org>');
  await mailer.send({ to: 'mara@example.org', ...verifyMail('Mara', link) }, 'one');
  mailer.close();
  const { from, source } = await server.mailTo('mara@example.org');
  assert.equal(from, 'sheaf@example.org');
  assert.match(source, /Content-Type: text\/plain/);
  assert.match(source, /Content-Type: text\/html/);
});

test('a mail server that refuses the sign-in fails the job of the mail, not the sign-up, and the mail is retried later', async (t) => {
  const server = await startSmtp({ user: 'sheaf', password: 'right' });
  t.after(() => server.stop());
  const app = await testApp(t, { settings: { SHEAF_SMTP_URL: server.url.replace('right', 'wrong-secret') } });
  await app.visitor().ask(emailSignup, { email: 'mara@example.org', password: 'correct horse battery' });
  await app.services.background.idle();
  const [job] = await app.services.jobs.failing(1);
  assert.equal(job?.kind, 'mail.send');
  assert.equal(job.state, 'ready');
  assert.ok(!app.log().includes('wrong-secret'));
  assert.equal(server.mails.length, 0);
});

test('a former mailbox that no longer exists does not stop the confirmation mail to the new address', async (t) => {
  const server = await startSmtp({ unknown: ['old@example.org'] });
  t.after(() => server.stop());
  const { signUp, services } = await testApp(t, { settings: { SHEAF_SMTP_URL: server.url } });
  const user = await signUp('old@example.org');
  const { userId } = user;
  assert.ok(await services.accounts.markVerified({ id: userId, email: 'old@example.org' }));
  await user.ask(updateMember, { newEmail: 'new@example.org' });
  await services.background.idle();
  assert.deepEqual(
    server.mails.map(({ to }) => to),
    [['new@example.org']],
  );
  const source = server.mails[0]?.source.replaceAll('=\r\n', '') ?? '';
  await user.ask(verifyEmail, { token: /verifyemail#token=3D([\w-]+)/.exec(source)?.[1] ?? '' });
});

test('one member without a mailbox does not stop the others from hearing that their organisation was closed', async (t) => {
  const server = await startSmtp({ unknown: ['gone@example.org'] });
  t.after(() => server.stop());
  const { signUp, services } = await testApp(t, { settings: { SHEAF_SMTP_URL: server.url } });
  const owner = await signUp();
  const { orgOid } = (await owner.ask(showOrg, { orgName: 'Acme' })).org;
  const { db } = services.database;
  for (const [index, email] of ['gone@example.org', 'noor@example.org'].entries()) {
    const { userId: accountId } = await signUp(email);
    await db
      .insertInto('org_member')
      .values({ id: `member ${index}`, orgId: orgOid, accountId, role: 'member', joinedAt: index })
      .execute();
  }
  await owner.ask(closeOrg, { orgOid, name: 'Acme' });
  await services.background.idle();
  assert.match((await server.mailTo('noor@example.org')).source, /Subject: Acme was closed/);
});

test('a name cannot smuggle markup into a mail', () => {
  const { html } = verifyMail('<img src=x onerror=alert(1)>', link);
  assert.ok(!html.includes('<img'));
});
