import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { eventually } from '@sheaf/testbed';
import { Type } from 'typebox';
import { jobSetting } from '#/platform/jobs/testing/jobs.ts';
import { type JobContext, type JobHandler, type RunAgain, LeaseLost, defineJob, retryWait } from './job.ts';

const Numbered = Type.Object({ number: Type.Integer() });

const numbered = (
  kind: string,
  run: (context: JobContext<{ number: number }>) => Promise<void | RunAgain>,
  attempts?: number,
): JobHandler => defineJob({ kind, payload: Numbered, run, ...(attempts !== undefined && { attempts }) });

const requests = (kind: string, count: number) => Array.from({ length: count }, (_, number) => ({ kind, payload: { number } }));

/** Ends the lease of every running job, as if its worker had been silent for too long. */
async function expireLeases({ database: { db } }: Awaited<ReturnType<typeof jobSetting>>): Promise<void> {
  await db.updateTable('job').set({ dueAt: 0 }).where('state', '=', 'running').execute();
}

const states = async ({ database: { db } }: Awaited<ReturnType<typeof jobSetting>>): Promise<Record<string, number>> => {
  const rows = await db.selectFrom('job').select('state').execute();
  return Object.fromEntries([...Map.groupBy(rows, ({ state }) => state)].map(([state, all]) => [state, all.length]));
};

test('two instances racing for 1,000 jobs run each of them once', async (t) => {
  const setting = await jobSetting(t);
  const runs = new Map<number, number>();
  const handler = numbered('test.count', async ({ payload }) => void runs.set(payload.number, (runs.get(payload.number) ?? 0) + 1));
  const [one, two] = [await setting.instance([handler]), await setting.instance([handler])];
  await one.enqueue(...requests('test.count', 1000));
  await Promise.all([one.start({ isAlone: false }), two.start({ isAlone: false })]);
  await eventually(async () => (await states(setting))['done'] === 1000, 'all jobs are done', 120_000);
  assert.equal(runs.size, 1000);
  assert.deepEqual([...new Set(runs.values())], [1]);
});

test('a handler that throws is retried with growing delays, is dead in the end, and blocks no other job', async (t) => {
  const setting = await jobSetting(t);
  const done: number[] = [];
  const jobs = await setting.instance([
    numbered('test.broken', () => Promise.reject(new Error('no line')), 3),
    numbered('test.fine', async ({ payload }) => void done.push(payload.number)),
  ]);
  const [broken] = await jobs.enqueue(...requests('test.broken', 1), ...requests('test.fine', 20));
  assert.ok(broken);
  await jobs.start({ isAlone: true });
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 3; attempt++) {
    const row = await eventually(async () => {
      const found = await jobs.find(broken);
      return found?.holder === null && found.attempts === attempt && found;
    }, `attempt ${attempt}`);
    if (attempt < 3) {
      assert.equal(row?.state, 'ready');
      waits.push(Number(row?.dueAt) - Number(row?.failedAt));
      assert.deepEqual(await jobs.retryNow(broken), true);
    } else assert.equal(row?.state, 'dead');
  }
  assert.ok((waits[0] ?? 0) >= 7500 && (waits[1] ?? 0) > (waits[0] ?? 0), `waits of ${waits.join(' and ')} ms`);
  assert.deepEqual(
    (await jobs.failing(10)).map(({ kind, reason }) => [kind, reason]),
    [['test.broken', 'Error: no line']],
  );
  for (const line of [
    'sheaf_jobs{kind="test.broken",state="dead"} 1',
    'sheaf_job_ends_total{kind="test.broken",result="failed"} 2',
    'sheaf_job_ends_total{kind="test.broken",result="dead"} 1',
    'sheaf_job_ends_total{kind="test.fine",result="done"} 20',
  ])
    await eventually(async () => (await jobs.metrics()).includes(line), `the metrics say ${line}`);
  assert.equal(done.length, 20);
  assert.ok(setting.log().includes(broken.id), 'the log names the job');
  assert.equal(await jobs.retryNow(broken), true, 'the operator may try a dead job again');
});

test('delays double up to an hour, whatever the jitter', () => {
  for (const random of [0, 0.5, 0.999]) {
    const waits = Array.from({ length: 30 }, (_, index) => retryWait(index + 1, () => random));
    assert.ok(waits.every((wait) => wait >= 7500 && wait <= 4_500_000));
    assert.equal(waits.at(-1), Math.round(3_600_000 * (0.75 + random / 2)));
  }
  for (let attempt = 1; attempt < 9; attempt++) assert.ok(retryWait(attempt + 1, () => 0) > retryWait(attempt, () => 0.999));
});

/** A worker that is silent until another takes its job over. */
async function takenOver(t: TestContext) {
  const setting = await jobSetting(t);
  const goOn = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<JobContext<{ number: number }>>();
  const stale = await setting.instance([
    numbered('test.slow', async (context) => {
      begun.resolve(context);
      await goOn.promise;
    }),
  ]);
  const [job] = await stale.enqueue({ kind: 'test.slow', payload: { number: 1 } });
  assert.ok(job);
  await stale.start({ isAlone: false });
  const context = await begun.promise;
  await expireLeases(setting);
  return { setting, stale, job, context, goOn };
}

test('a write by a stale worker is refused once another has claimed its job', async (t) => {
  const { setting, job, context, goOn } = await takenOver(t);
  const release = Promise.withResolvers<void>();
  const fresh = await setting.instance([numbered('test.slow', () => release.promise)]);
  await fresh.start({ isAlone: false });
  await eventually(async () => (await fresh.find(job))?.epoch === 2, 'another has claimed the job');
  assert.equal(await context.stillMine(), false);
  await assert.rejects(context.checkpoint('of the stale worker'), LeaseLost);
  assert.equal(context.signal.aborted, true);
  goOn.resolve();
  const row = await fresh.find(job);
  assert.deepEqual([row?.state, row?.progress, row?.attempts], ['running', null, 2]);
  release.resolve();
  await eventually(async () => (await fresh.find(job))?.state === 'done', 'the other has done it');
});

test('a stale worker that has not noticed the takeover cannot end the job either', async (t) => {
  const { setting, stale, job, goOn } = await takenOver(t);
  const release = Promise.withResolvers<void>();
  const fresh = await setting.instance([numbered('test.slow', () => release.promise)]);
  await fresh.start({ isAlone: false });
  await eventually(async () => (await fresh.find(job))?.epoch === 2, 'another has claimed the job');
  goOn.resolve();
  // Stopping waits until the stale worker has written its ending.
  await stale.stop();
  assert.deepEqual([(await fresh.find(job))?.state, (await fresh.find(job))?.epoch], ['running', 2]);
  release.resolve();
  await eventually(async () => (await fresh.find(job))?.state === 'done', 'the other has done it');
});

test('a worker does not claim its own job when the clock jumps, and ends it', async (t) => {
  const setting = await jobSetting(t);
  let jump = 0;
  let begun = 0;
  const release = Promise.withResolvers<void>();
  const handlers = [
    numbered('test.slow', async () => {
      begun += 1;
      await release.promise;
    }),
    numbered('test.fine', async () => undefined),
  ];
  const jobs = await setting.instance(handlers, { clock: () => Date.now() + jump });
  const [slow] = await jobs.enqueue({ kind: 'test.slow', payload: { number: 1 } });
  assert.ok(slow);
  await jobs.start({ isAlone: true });
  await eventually(() => begun === 1, 'the job has begun');
  for (const hours of [5, -5]) {
    jump = hours * 3_600_000;
    const [fine] = await jobs.enqueue({ kind: 'test.fine', payload: { number: hours } });
    assert.ok(fine);
    await eventually(async () => (await jobs.find(fine))?.state === 'done', `a job is done after ${hours} hours`);
  }
  assert.equal(begun, 1);
  release.resolve();
  await eventually(async () => (await jobs.find(slow))?.state === 'done', 'the slow job is done');
});

test('a job is enqueued once per key, whatever its state', async (t) => {
  const setting = await jobSetting(t);
  const handler = numbered('test.fine', async () => undefined);
  const [one, two] = [await setting.instance([handler]), await setting.instance([handler])];
  const job = { kind: 'test.fine', payload: { number: 1 }, key: 'order 7' };
  const refs = (await Promise.all([one.enqueue(job), two.enqueue(job), one.enqueue(job), two.enqueue({ ...job, scope: 'other' })])).flat();
  assert.equal(new Set(refs.slice(0, 3).map(({ id }) => id)).size, 1);
  assert.equal((await setting.database.db.selectFrom('job').select('id').execute()).length, 2);
  await assert.rejects(one.enqueue({ kind: 'test.fine', payload: { number: 'one' } }), /not a payload/);
});

test('jobs of a lane never exceed its limit across two instances; other jobs do not wait for them', async (t) => {
  const setting = await jobSetting(t);
  let [now, most, done] = [0, 0, 0];
  const gate = Promise.withResolvers<void>();
  const handlers = [
    numbered('test.lane', async ({ signal }) => {
      now += 1;
      most = Math.max(most, now);
      if (done < 2) await Promise.race([gate.promise, once(signal, 'abort')]);
      now -= 1;
      done += 1;
    }),
    numbered('test.fine', async () => gate.resolve()),
  ];
  const [one, two] = [await setting.instance(handlers), await setting.instance(handlers)];
  await one.enqueue(...requests('test.lane', 40).map((job) => ({ ...job, lane: { name: 'user:1', limit: 2 } })));
  await one.enqueue({ kind: 'test.fine', payload: { number: 0 } });
  await Promise.all([one.start({ isAlone: false }), two.start({ isAlone: false })]);
  await eventually(async () => (await states(setting))['done'] === 41, 'all jobs are done', 60_000);
  assert.deepEqual([most, done], [2, 40]);
});

test('long jobs leave slots to those of high priority', async (t) => {
  const setting = await jobSetting(t);
  const release = Promise.withResolvers<void>();
  let begun = 0;
  const handlers = [
    numbered('test.slow', async () => {
      begun += 1;
      await release.promise;
    }),
    numbered('test.fine', async () => undefined),
  ];
  const jobs = await setting.instance(handlers, { slots: 4 });
  await jobs.enqueue(...requests('test.slow', 10));
  await jobs.start({ isAlone: true });
  await eventually(() => begun === 2, 'two slots are taken');
  for (let number = 0; number < 5; number++) {
    const [urgent] = await jobs.enqueue({ kind: 'test.fine', payload: { number }, priority: 'high' });
    assert.ok(urgent);
    await eventually(async () => (await jobs.find(urgent))?.state === 'done', 'the urgent job is done');
  }
  assert.equal(begun, 2);
  release.resolve();
  await eventually(async () => (await states(setting))['done'] === 15, 'all are done');
});

test('a process that stops returns its jobs unharmed, and another continues at once', async (t) => {
  const setting = await jobSetting(t);
  const begun = Promise.withResolvers<void>();
  const stopping = await setting.instance([
    numbered('test.slow', async ({ checkpoint, signal }) => {
      await checkpoint({ at: 5 });
      begun.resolve();
      await once(signal, 'abort');
      signal.throwIfAborted();
    }),
  ]);
  const [job] = await stopping.enqueue({ kind: 'test.slow', payload: { number: 1 } });
  assert.ok(job);
  await stopping.start({ isAlone: true });
  await begun.promise;
  await stopping.stop();
  const row = await stopping.find(job);
  assert.deepEqual([row?.state, row?.attempts, row?.failedAt], ['ready', 0, null]);
  let found: unknown;
  const next = await setting.instance([numbered('test.slow', async ({ progress }) => void (found = progress))]);
  await next.start({ isAlone: false });
  await eventually(async () => (await next.find(job))?.state === 'done', 'another has done it');
  assert.deepEqual(found, { at: 5 });
});

test('a job can be cancelled while it waits and while it runs, and can ask to be run again later', async (t) => {
  const setting = await jobSetting(t);
  const begun = Promise.withResolvers<void>();
  const jobs = await setting.instance([
    numbered('test.slow', async ({ signal }) => {
      begun.resolve();
      await once(signal, 'abort');
      signal.throwIfAborted();
    }),
    numbered('test.again', async () => ({ again: 7_200_000 })),
  ]);
  const [slow, waiting, again] = await jobs.enqueue(
    { kind: 'test.slow', payload: { number: 1 } },
    { kind: 'test.slow', payload: { number: 2 }, wait: 3_600_000 },
    { kind: 'test.again', payload: { number: 3 } },
  );
  assert.ok(slow && waiting && again);
  await jobs.start({ isAlone: true });
  await begun.promise;
  await Promise.all([jobs.cancel(slow), jobs.cancel(waiting)]);
  await eventually(async () => (await jobs.find(slow))?.state === 'cancelled', 'the running job is cancelled');
  assert.equal((await jobs.find(waiting))?.state, 'cancelled');
  const waits = await eventually(async () => {
    const row = await jobs.find(again);
    return row?.epoch === 1 && row.attempts === 0 && row;
  }, 'it waits for its hour');
  assert.equal(waits.failedAt, null);
});

test('a payload left by an older version is refused without another attempt', async (t) => {
  const setting = await jobSetting(t);
  const older = await setting.instance([defineJob({ kind: 'test.fine', payload: Type.Any(), run: async () => undefined })]);
  const [job] = await older.enqueue({ kind: 'test.fine', payload: { text: 'old' } });
  assert.ok(job);
  const newer = await setting.instance([numbered('test.fine', async () => undefined)]);
  await newer.start({ isAlone: false });
  await eventually(async () => (await newer.find(job))?.state === 'dead', 'it is dead');
  assert.equal((await newer.find(job))?.attempts, 1);
});

test('finished jobs are deleted after their retention, and those of a scope at once', async (t) => {
  const setting = await jobSetting(t);
  const { db } = setting.database;
  const jobs = await setting.instance([numbered('test.fine', async () => undefined)]);
  await jobs.enqueue(...requests('test.fine', 30), { kind: 'test.fine', payload: { number: 1 }, scope: 'link', wait: 60_000 });
  await jobs.start({ isAlone: true });
  await eventually(async () => (await states(setting))['done'] === 30, 'they are done');
  assert.equal(await jobs.clear(), 0);
  await db.updateTable('job').set({ finishedAt: 1 }).where('state', '=', 'done').execute();
  assert.equal(await jobs.clear(), 30);
  await jobs.forget('link');
  assert.deepEqual(await states(setting), {});
});
