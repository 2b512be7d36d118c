import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { emailSignup } from '@sheaf/contract';
import { eventually, startSmtp } from '@sheaf/testbed';
import { newId } from '#/platform/ids.ts';
import type { Jobs } from '#/platform/jobs/jobs.ts';
import { jobSetting } from '#/platform/jobs/testing/jobs.ts';
import { createVault } from '#/secrets/vault.ts';
import { testDatabase } from '#/testing/database.ts';
import { startServer } from '#/testing/server-process.ts';
import type { Transport } from './mailer.ts';
import { resetMail } from './mails.ts';
import { createMailQueue } from './queue.ts';
import { createSmtp } from './smtp.ts';

const link = 'http://sheaf.test/login/reset#token=abcdef';
const from = 'Sheaf <sheaf@example.org>';

/** A queue whose jobs have not been started, and its database. */
async function queued(t: TestContext, transport: Transport) {
  const setting = await jobSetting(t);
  const queue = createMailQueue({ transport, vault: createVault(randomBytes(32)), newId, enqueue: (job) => jobs.enqueue(job), name: '' });
  const jobs: Jobs = await setting.instance([queue.job]);
  const stored = () => setting.database.db.selectFrom('job').selectAll().execute();
  return { mailer: queue.mailer, jobs, stored, log: setting.log };
}

test('a queued mail is stored sealed: neither its address nor its link can be read in the database', async (t) => {
  const smtp = await startSmtp();
  t.after(() => smtp.stop());
  const { mailer, jobs, stored } = await queued(t, createSmtp(smtp.url, from));
  await mailer.send({ to: 'mara@example.org', ...resetMail('Mara', link) });
  const rows = await stored();
  assert.equal(rows.length, 1);
  assert.doesNotMatch(JSON.stringify(rows), /mara@|token=|login\/reset/i);
  await jobs.start({ isAlone: true });
  const { source } = await smtp.mailTo('mara@example.org');
  assert.match(source, /token=3D/);
  assert.match(source, /^Message-ID:\s+<[\w-]+@example\.org>/m);
});

test('a mail with a key is queued once, and mails to one address are delivered in their order', async (t) => {
  const smtp = await startSmtp();
  t.after(() => smtp.stop());
  const { mailer, jobs, stored } = await queued(t, createSmtp(smtp.url, from));
  const content = resetMail('Mara', link);
  await mailer.send({ to: 'mara@example.org', ...content, subject: 'closed' }, 'closed 1');
  await mailer.send({ to: 'mara@example.org', ...content, subject: 'closed' }, 'closed 1');
  for (let index = 0; index < 20; index++) await mailer.send({ to: 'mara@example.org', ...content, subject: `mail ${index}` });
  assert.equal((await stored()).length, 21);
  await jobs.start({ isAlone: true });
  await eventually(async () => (await stored()).every(({ state }) => state === 'done'), 'all mails are sent', 60_000);
  const subjects = smtp.mails.map(({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1]);
  assert.deepEqual(subjects, ['closed', ...Array.from({ length: 20 }, (_, index) => `mail ${index}`)]);
});

test('a mailbox that does not exist fails its mail for good and delays no other; a mail server that is down is tried again', async (t) => {
  const smtp = await startSmtp({ unknown: ['gone@example.org'] });
  t.after(() => smtp.stop());
  let isDown = true;
  const real = createSmtp(smtp.url, from);
  const transport: Transport = {
    send: (mail, id) => (isDown && mail.to === 'noor@example.org' ? Promise.reject(new Error('down')) : real.send(mail, id)),
    close: () => real.close(),
  };
  const { mailer, jobs, stored, log } = await queued(t, transport);
  for (const to of ['gone@example.org', 'noor@example.org', 'mara@example.org']) await mailer.send({ to, ...resetMail('Mara', link) });
  await jobs.start({ isAlone: true });
  await smtp.mailTo('mara@example.org');
  await eventually(async () => (await jobs.failing(9)).length === 2, 'two mails have failed');
  const failing = await jobs.failing(9);
  assert.deepEqual(failing.map(({ state, reason }) => `${state}: ${reason}`).toSorted(), [
    'dead: PermanentFailure: the mail server refused the mail with 550',
    'ready: Error: down',
  ]);
  isDown = false;
  const waiting = failing.find(({ state }) => state === 'ready');
  assert.ok(waiting && (await jobs.retryNow(waiting)));
  await smtp.mailTo('noor@example.org');
  await eventually(async () => (await stored()).filter(({ state }) => state === 'done').length === 2, 'both are noted as sent');
  assert.equal(smtp.mails.length, 2);
  assert.ok(!log().includes('abcdef'));
});

test('a mail is delivered once although the server is killed while delivering it', async (t) => {
  // Accepts connections and never says a word.
  let connections = 0;
  const silent = createServer(() => (connections += 1)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-mail-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const settings = { SHEAF_DATA_DIR: dataDir, SHEAF_DATABASE_URL: await testDatabase(), SHEAF_MAIL_FROM: from };
  const { port } = silent.address() as AddressInfo;
  const first = await startServer(t, { ...settings, SHEAF_SMTP_URL: `smtp://127.0.0.1:${port}` });
  await first.ask(emailSignup, { name: 'Mara', email: 'mara@example.org', password: 'correct horse battery' });
  await eventually(() => connections > 0, 'the mail is being delivered', 60_000);
  await first.kill();
  const smtp = await startSmtp();
  t.after(() => smtp.stop());
  const second = await startServer(t, { ...settings, SHEAF_SMTP_URL: smtp.url });
  await eventually(() => smtp.mails.length > 0, 'the mail arrives', 120_000);
  await eventually(
    async () => /sheaf_job_ends_total\{kind="mail.send",result="done"\} 1/.test(await (await fetch(`${second.url}/metrics`)).text()),
    'the mail is noted as sent',
    60_000,
  );
  assert.deepEqual(
    smtp.mails.map(({ to }) => to),
    [['mara@example.org']],
  );
});
