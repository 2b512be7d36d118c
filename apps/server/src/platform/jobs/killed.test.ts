import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRandom, eventually, spawnOwned } from '@sheaf/testbed';
import { stepsJob } from '#/platform/jobs/testing/job-steps.ts';
import { jobSetting } from '#/platform/jobs/testing/jobs.ts';

const seed = 13;
const [jobCount, stepCount, lease] = [12, 150, 1500];

test('workers killed at seeded moments lose no step of a job, and repeat at most one of each job', async (t) => {
  const setting = await jobSetting(t);
  const file = join(setting.dataDir, 'steps');
  await writeFile(file, '');
  const steps = async (): Promise<string[]> => (await readFile(file, 'utf8')).split('\n').filter(Boolean);
  const jobs = await setting.instance([stepsJob(() => undefined)], { lease });
  const refs = await jobs.enqueue(...Array.from({ length: jobCount }, () => ({ kind: 'test.steps', payload: { steps: stepCount } })));
  const random = createRandom(seed);
  const total = jobCount * stepCount;
  let kills = 0;
  for (const part of [0.1, 0.3, 0.6].map((at) => at + random() * 0.2)) {
    const { databaseUrl, dataDir } = setting;
    const worker = spawnOwned(
      process.execPath,
      [join(import.meta.dirname, './testing/job-worker.ts'), databaseUrl, dataDir, String(lease), file],
      {
        stdio: 'ignore',
      },
    );
    const exit = once(worker, 'exit');
    t.after(() => worker.kill('SIGKILL'));
    await eventually(async () => (await steps()).length >= part * total, `${Math.round(part * 100)} % of the steps are done`, 120_000);
    worker.kill('SIGKILL');
    await exit;
    kills += 1;
  }
  const told: string[] = [];
  const last = await setting.instance([stepsJob((step, id) => void told.push(`${id} ${step}`))], { lease });
  await last.start({ isAlone: false });
  await eventually(
    async () => (await Promise.all(refs.map((ref) => last.find(ref)))).every((row) => row?.state === 'done'),
    'all jobs are done',
    120_000,
  );
  const all = [...(await steps()), ...told];
  assert.equal(new Set(all).size, total);
  t.diagnostic(`${all.length - total} steps ran twice after ${kills} kills`);
  assert.ok(all.length - total <= kills * jobCount, `${all.length - total} steps ran twice`);
});
