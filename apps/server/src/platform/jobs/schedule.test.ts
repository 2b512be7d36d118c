import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@sheaf/testbed';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { openDatabase } from '#/platform/db/database.ts';
import { jobSetting } from '#/platform/jobs/testing/jobs.ts';
import { testDatabase, testEngine } from '#/testing/database.ts';
import { type JobHandler, defineJob } from './job.ts';
import { jobDatabase } from './rows.ts';

const scheduled = (schedule: string, run: () => Promise<void>, atStart = false): JobHandler =>
  defineJob({ kind: 'test.scheduled', payload: Type.Object({}), schedule, atStart, run });

test('a scheduled job runs once at each of its times among three instances', async (t) => {
  const setting = await jobSetting(t);
  let [now, most] = [0, 0];
  const seconds: number[] = [];
  const handler = scheduled('* * * * * *', async () => {
    now += 1;
    most = Math.max(most, now);
    seconds.push(Math.floor(Date.now() / 1000));
    await new Promise(setImmediate);
    now -= 1;
  });
  const all = [await setting.instance([handler]), await setting.instance([handler]), await setting.instance([handler])];
  const from = Math.floor(Date.now() / 1000);
  await Promise.all(all.map((jobs) => jobs.start({ isAlone: false })));
  await eventually(() => seconds.length >= 4, 'it has run four times', 60_000);
  assert.equal(most, 1);
  assert.ok(seconds.length <= Math.floor(Date.now() / 1000) - from + 1, `${seconds.length} runs`);
  assert.equal((await setting.database.db.selectFrom('job').select('id').execute()).length, 1);
});

test('a scheduled job that fails is retried indefinitely, is reported as failing, and waits for its next time after a success', async (t) => {
  const setting = await jobSetting(t);
  let [runs, isBroken] = [0, true];
  const jobs = await setting.instance([
    scheduled(
      '0 0 1 1 *',
      async () => {
        runs += 1;
        if (isBroken) throw new Error('no line');
      },
      true,
    ),
  ]);
  await jobs.start({ isAlone: true });
  for (let attempt = 1; attempt <= 12; attempt++) {
    await eventually(async () => runs === attempt && (await jobs.failing(1))[0]?.holder === null, `attempt ${attempt}`);
    const [failing] = await jobs.failing(1);
    assert.deepEqual([failing?.state, failing?.attempts], ['ready', attempt]);
    if (attempt === 12) isBroken = false;
    await jobs.runNow('test.scheduled');
  }
  await eventually(async () => (await jobs.failing(1)).length === 0, 'it has succeeded');
  const row = await setting.database.db.selectFrom('job').selectAll().executeTakeFirstOrThrow();
  const newYear = Date.UTC(new Date().getUTCFullYear() + 1, 0, 1);
  assert.deepEqual([row.state, row.attempts, Math.abs(Number(row.dueAt) - newYear) < 60_000], ['ready', 0, true]);
});

test('a scheduled job that is asked for while it runs runs once more, however often it is asked for', async (t) => {
  const setting = await jobSetting(t);
  const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const jobs = await setting.instance([scheduled('0 0 1 1 *', async () => turns[runs++]?.promise, true)]);
  await jobs.start({ isAlone: true });
  await eventually(() => runs === 1, 'it runs at the start');
  for (let times = 0; times < 3; times++) await jobs.runNow('test.scheduled');
  turns[0]?.resolve();
  await eventually(() => runs === 2, 'it runs once more');
  turns[1]?.resolve();
  const { db } = setting.database;
  const newYear = Date.UTC(new Date().getUTCFullYear() + 1, 0, 1);
  await eventually(async () => {
    const row = await db.selectFrom('job').select(['state', 'dueAt']).executeTakeFirstOrThrow();
    return row.state === 'ready' && Math.abs(Number(row.dueAt) - newYear) < 60_000;
  }, 'it waits for its next time');
  assert.equal(runs, 2);
});

test('on Postgres the time of jobs is never ahead of the clock, so that no time of a schedule comes twice', async (t) => {
  const databaseUrl = await testDatabase({ on: 'postgres' });
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '', onLostConnection: (error) => assert.fail(error) });
  t.after(close);
  const { now } = jobDatabase(db, 'postgres', Date.now);
  const { rows } = await sql<{ ahead: string }>`select count(*) as ahead from generate_series(1, 1000)
    where ${now} > extract(epoch from clock_timestamp()) * 1000`.execute(db);
  assert.equal(Number(rows[0]?.ahead), 0);
});

test('a clock that is set back does not delay a schedule', async (t) => {
  const setting = await jobSetting(t);
  let runs = 0;
  const handler = scheduled('* * * * * *', async () => void (runs += 1));
  const day = 86_400_000;
  // Postgres uses the server's clock: the test changes the row instead of the time.
  if (testEngine === 'sqlite') {
    const before = await setting.instance([handler], { clock: () => Date.now() + day });
    await before.start({ isAlone: true });
    await before.stop();
  } else {
    const before = await setting.instance([handler]);
    await before.start({ isAlone: true });
    await before.stop();
    await setting.database.db
      .updateTable('job')
      .set({ dueAt: Date.now() + day })
      .execute();
  }
  runs = 0;
  const after = await setting.instance([handler]);
  await after.start({ isAlone: true });
  await eventually(() => runs > 0, 'it has run', 30_000);
});
