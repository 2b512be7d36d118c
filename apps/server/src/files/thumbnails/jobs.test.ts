import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Body } from '@sheaf/connectors';
import { eventually, smallJpeg } from '@sheaf/testbed';
import type { Jobs } from '#/platform/jobs/jobs.ts';
import { jobSetting } from '#/platform/jobs/testing/jobs.ts';
import { createThumbnailJobs } from './jobs.ts';
import { createPictures } from './service.ts';

const body: Body = { size: smallJpeg.length, entry: {}, drain: async (take) => take(smallJpeg), cancel: () => undefined };

test('an unlinked link loses its thumbnails on that instance at once, and on the others with their hourly job', async (t) => {
  const setting = await jobSetting(t);
  async function instance(folderId: string) {
    const folder = await mkdtemp(join(tmpdir(), 'sheaf-pictures-'));
    t.after(() => rm(folder, { recursive: true }));
    const pictures = createPictures({ folder, onTrouble: (error) => assert.fail(String(error)) });
    for (const source of ['gone', 'here']) {
      const original = { name: 'hill.jpg', source, identity: 'hill.jpg', isVersioned: true, read: async () => body };
      await pictures.picture(original, 128, AbortSignal.timeout(30_000));
    }
    const localKind = (kind: string): string => `${kind}@${folderId}`;
    const work = createThumbnailJobs({ pictures, linkIds: async () => ['here'], localKind, enqueue: (job) => jobs.enqueue(job) });
    const jobs: Jobs = await setting.instance(work.handlers);
    const kept = async (): Promise<number> =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;
    return { ...work, jobs, kept };
  }
  const [one, other] = [await instance('one'), await instance('other')];
  for (const { jobs } of [one, other]) await jobs.start({ isAlone: false });
  const { db } = setting.database;
  const isDone = (kind: string) => async (): Promise<boolean> => {
    const row = await db.selectFrom('job').selectAll().where('kind', '=', kind).executeTakeFirst();
    return row !== undefined && row.state !== 'running' && row.attempts > 0;
  };
  await one.forget('gone');
  await eventually(isDone('thumbnails.forget@one'), 'the job has run');
  assert.deepEqual([await one.kept(), await other.kept()], [1, 2]);
  await other.jobs.runNow('thumbnails.tidy@other');
  await eventually(async () => (await other.kept()) === 1, 'the other folder is tidied');
  assert.equal(await one.kept(), 1);
});

test('jobs of a data folder that no instance uses any more are deleted after 30 days', async (t) => {
  const setting = await jobSetting(t);
  const jobs = await setting.instance([]);
  await jobs.enqueue(...['thumbnails.tidy@gone', 'thumbnails.tidy@away', 'mail.send'].map((kind) => ({ kind, payload: {} })));
  const { db } = setting.database;
  await db.updateTable('job').set({ dueAt: 1 }).where('kind', '<>', 'thumbnails.tidy@away').execute();
  await jobs.clear();
  const left = await db.selectFrom('job').select('kind').execute();
  assert.deepEqual(left.map(({ kind }) => kind).toSorted(), ['mail.send', 'thumbnails.tidy@away']);
});
