import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { eventually } from '@sheaf/testbed';
import { Type } from 'typebox';
import { jobSetting } from '#/platform/jobs/testing/jobs.ts';
import { defineJob } from './job.ts';

/** Number of jobs, and of jobs per enqueuing call, as in a request that copies some files. */
const [count, together] = [5000, 50];

test(`${count} jobs enqueued while two instances run them are all done, and the rate is printed`, async (t) => {
  const setting = await jobSetting(t);
  let runs = 0;
  const handler = defineJob({ kind: 'test.count', payload: Type.Object({ number: Type.Integer() }), run: async () => void (runs += 1) });
  const options = { slots: 64 };
  const [one, two] = [await setting.instance([handler], options), await setting.instance([handler], options)];
  await Promise.all([one.start({ isAlone: false }), two.start({ isAlone: false })]);
  const from = performance.now();
  for (let at = 0; at < count; at += together)
    await one.enqueue(...Array.from({ length: together }, (_, index) => ({ kind: 'test.count', payload: { number: at + index } })));
  const enqueued = performance.now();
  const { db } = setting.database;
  const open = async (): Promise<number> => {
    const row = await db
      .selectFrom('job')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('state', '<>', 'done')
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  await eventually(async () => (await open()) === 0, 'all jobs are done', 120_000);
  const seconds = (performance.now() - from) / 1000;
  t.diagnostic(
    `enqueued in ${((enqueued - from) / 1000).toFixed(1)} s, done in ${seconds.toFixed(1)} s: ${Math.round(count / seconds)} a second`,
  );
  assert.equal(runs, count);
});
