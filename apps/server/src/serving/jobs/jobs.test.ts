import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { cancelJob, jobTitles, listJobs, listOperatorLog, retryJob, retryTransfer } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { linkApp } from '#/testing/links.ts';
import { transferring } from '#/testing/under-way.ts';
import { publicReason } from './service.ts';

async function operated(t: TestContext) {
  const app = await testApp(t, { settings: { SHEAF_OPERATORS: 'boss@example.org' } });
  const boss = await app.signUp('boss@example.org');
  await app.services.accounts.markVerified({ id: boss.userId, email: boss.email });
  await app.services.background.idle();
  return { ...app, boss, db: app.services.database.db };
}

test('the operator sees why a background job fails and tries it again at once; metrics count it', async (t) => {
  const { boss, services, db, ...app } = await operated(t);
  const job = await db.selectFrom('job').selectAll().where('kind', '=', 'billing.settle').executeTakeFirstOrThrow();
  const failing = async () => (await boss.ask(listJobs, { list: 'failed' })).jobs;
  assert.deepEqual(await failing(), []);
  const failed = { failedAt: 1_800_000_000_500, dueAt: 4_000_000_000_000, attempts: 3, reason: 'SOURCE_CONFUSED' };
  await db.updateTable('job').set(failed).where('id', '=', job.id).execute();
  const row = { scope: 'system', jobId: job.id };
  assert.deepEqual(await failing(), [
    {
      ...row,
      kind: 'billing.settle',
      state: 'waiting',
      isScheduled: true,
      createdAt: Math.floor(Number(job.createdAt) / 1000),
      reason: 'SOURCE_CONFUSED',
      attempts: 3,
      failedAt: 1_800_000_000,
      nextAt: 4_000_000_000,
    },
  ]);
  const user = await app.signUp();
  for (const refusal of [
    await user.refusal(listJobs, { list: 'failed' }),
    await user.refusal(retryJob, row),
    await user.refusal(cancelJob, row),
  ])
    assert.equal(refusal.errorCode, 735);
  assert.deepEqual(await boss.ask(cancelJob, row), { isCancelled: false }, 'scheduled work would never run again');
  assert.deepEqual(await boss.ask(retryJob, row), { isRetried: true });
  await services.background.idle();
  assert.deepEqual(await failing(), []);
  assert.deepEqual(await boss.ask(retryJob, { ...row, jobId: 'none' }), { isRetried: false });
  assert.match((await services.jobs.metrics()).join('\n'), /sheaf_job_ends_total\{kind="billing.settle",result="done"\} 2/);
});

test('running, waiting and failed jobs are counted and listed without their payloads, and what an operator does to them is logged', async (t) => {
  const { boss, services, db } = await operated(t);
  const [later, broken] = await services.jobs.enqueue(
    { kind: 'mail.send', payload: { id: 'a', sealed: 'private' }, wait: 3_600_000 },
    { kind: 'mail.send', payload: { id: 'b', sealed: 'private' }, wait: 3_600_000 },
  );
  assert.ok(later && broken);
  const reason = 'Error: ENOENT: no such file, open /home/mara/Diary.txt';
  await db
    .updateTable('job')
    .set({ state: 'dead', dueAt: null, failedAt: 1_800_000_000_000, finishedAt: Date.now(), attempts: 10, reason })
    .where('id', '=', broken.id)
    .execute();
  const before = await boss.ask(listJobs, { list: 'waiting' });
  assert.equal(before.counts.failed, 1);
  assert.equal(before.counts.waiting, before.jobs.length);
  assert.ok(before.jobs.some(({ jobId, state }) => jobId === later.id && state === 'waiting'));
  assert.ok(!before.jobs.some(({ jobId }) => jobId === broken.id));
  const answer = await boss.send(listJobs, { list: 'failed' });
  for (const secret of ['private', 'mara', 'Diary']) assert.ok(!answer.body.includes(secret), secret);
  const { jobs: failed } = await boss.ask(listJobs, { list: 'failed' });
  assert.deepEqual(
    failed.map(({ state, reason: shown }) => [state, shown]),
    [['dead', 'Error (ENOENT)']],
  );

  assert.deepEqual(await boss.ask(cancelJob, { scope: later.scope, jobId: later.id }), { isCancelled: true });
  assert.deepEqual(await boss.ask(cancelJob, { scope: later.scope, jobId: later.id }), { isCancelled: false });
  assert.equal((await services.jobs.find(later))?.state, 'cancelled');
  const { entries } = await boss.ask(listOperatorLog, {});
  assert.deepEqual(
    entries.map(({ action, subject }) => [action, subject]),
    [['jobs.cancel', `Send a mail (${later.id})`]],
  );
});

test('cancelling a job lets the next one of its lane run', async (t) => {
  const { boss, services, db } = await operated(t);
  const lane = { name: 'test:lane', limit: 1 };
  const wait = 3_600_000;
  const [first, second] = await services.jobs.enqueue(
    { kind: 'mail.send', payload: { id: 'a', sealed: 'x' }, lane, wait },
    { kind: 'mail.send', payload: { id: 'b', sealed: 'x' }, lane, wait },
  );
  assert.ok(first && second);
  await db.updateTable('job').set({ state: 'held', dueAt: null }).where('id', '=', second.id).execute();
  const { jobs: waiting } = await boss.ask(listJobs, { list: 'waiting' });
  assert.equal(waiting.find(({ jobId }) => jobId === second.id)?.state, 'held');
  await boss.ask(cancelJob, { scope: first.scope, jobId: first.id });
  assert.notEqual((await services.jobs.find(second))?.state, 'held');
});

test('a transfer whose job an operator cancels has failed in the eyes of its owner, who can try it again', async (t) => {
  const { user, source } = await linkApp(t);
  const { transferId, goOn, state } = await transferring({ user, source });
  const { jobs } = await user.ask(listJobs, { list: 'running' });
  const job = jobs.find(({ kind }) => kind === 'transfers.run');
  assert.ok(job);
  assert.deepEqual(await user.ask(cancelJob, { scope: job.scope, jobId: job.jobId }), { isCancelled: true });
  goOn();
  await eventually(async () => (await state()) === 'failed', 'the transfer has failed');
  await user.ask(retryTransfer, { transferId });
  await eventually(async () => (await state()) === 'done', 'the transfer is done');
});

test('every kind of job has a title, and every title a kind', async (t) => {
  const { services } = await testApp(t);
  const kinds = services.jobs.kinds.map((kind) => kind.split('@')[0]);
  assert.deepEqual(new Set(Object.keys(jobTitles)), new Set(kinds));
});

test('only codes and names of errors are shown of a stored reason', () => {
  assert.equal(publicReason('SOURCE_CONFUSED'), 'SOURCE_CONFUSED');
  assert.equal(publicReason('its process ended each time'), 'its process ended each time');
  assert.equal(publicReason('TypeError: cannot read /secret'), 'TypeError');
  assert.equal(publicReason('Odd name: /secret'), 'Error');
});
