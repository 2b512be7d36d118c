import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@sheaf/testbed';
import { Type } from 'typebox';
import { jobSetting } from '#/platform/jobs/testing/jobs.ts';
import { type JobContext, defineJob } from './job.ts';

const attempts = 10;

/** A job that was claimed so often by processes that ended. */
async function claimedOften(
  t: Parameters<typeof jobSetting>[0],
  claims: number,
  run: (context: JobContext<unknown>) => Promise<void>,
  progress?: string,
) {
  const setting = await jobSetting(t);
  const died: { readonly scope: string; readonly payload: unknown }[] = [];
  const handler = defineJob({
    kind: 'test.deadly',
    payload: Type.Object({ number: Type.Integer() }),
    attempts,
    run,
    died: async (job) => void died.push(job),
  });
  const jobs = await setting.instance([handler]);
  const [job] = await jobs.enqueue({ scope: 'mara', kind: 'test.deadly', payload: { number: 7 } });
  assert.ok(job);
  await setting.database.db
    .updateTable('job')
    .set({ attempts: claims, ...(progress !== undefined && { progress: JSON.stringify(progress) }) })
    .where('id', '=', job.id)
    .execute();
  await jobs.start({ isAlone: true });
  return { died, row: () => jobs.find(job) };
}

test('a job whose process died on every attempt is dead, and its waiters learn of it', async (t) => {
  const { died, row } = await claimedOften(t, attempts, () => assert.fail('it runs once more'));
  await eventually(async () => (await row())?.state === 'dead', 'the job is dead');
  assert.deepEqual(died, [{ scope: 'mara', payload: { number: 7 } }]);
});

test('a job that fails for the last time reports it, and one that will be retried does not', async (t) => {
  const last = await claimedOften(t, attempts - 1, () => Promise.reject(new Error('no line')));
  await eventually(async () => (await last.row())?.state === 'dead', 'the job is dead');
  assert.equal(last.died.length, 1);
  const earlier = await claimedOften(t, 1, () => Promise.reject(new Error('no line')));
  await eventually(async () => (await earlier.row())?.failedAt !== null, 'the attempt has failed');
  assert.equal(earlier.died.length, 0);
});

test('progress resets the attempts, so that a long job survives any number of restarts; repeated progress does not', async (t) => {
  const counts: (number | undefined)[] = [];
  const { row } = await claimedOften(t, attempts - 1, async ({ checkpoint, attempt }) => {
    await checkpoint('here');
    counts.push((await row())?.attempts);
    if (attempt === attempts) throw new Error('no line');
  });
  await eventually(async () => (await row())?.failedAt !== null, 'the attempt has failed');
  // It would have been the last one.
  assert.deepEqual([(await row())?.state, counts], ['ready', [1]]);
});

test('progress that an earlier attempt has already stored does not keep a job alive', async (t) => {
  const { row, died } = await claimedOften(
    t,
    attempts - 1,
    async ({ checkpoint }) => {
      await checkpoint('here');
      throw new Error('no line');
    },
    'here',
  );
  await eventually(async () => (await row())?.state === 'dead', 'the job is dead');
  assert.equal(died.length, 1);
});
