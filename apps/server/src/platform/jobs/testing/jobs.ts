import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type OpenDatabase, openDatabase } from '#/platform/db/database.ts';
import { newId } from '#/platform/ids.ts';
import type { JobHandler } from '#/platform/jobs/job.ts';
import { type Jobs, createJobs } from '#/platform/jobs/jobs.ts';
import { createLog } from '#/platform/log.ts';
import type { Tracing } from '#/platform/tracing/tracing.ts';
import { testDatabase } from '#/testing/database.ts';

interface Options {
  readonly lease?: number;
  readonly slots?: number;
  readonly clock?: () => number;
  readonly schedules?: boolean;
  readonly tracing?: Tracing;
}

export interface JobSetting {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly database: OpenDatabase;
  /** Another instance on the same database, not started yet. */
  instance(handlers: readonly JobHandler[], options?: Options): Promise<Jobs>;
  /** Log of all instances. */
  log(): string;
}

/** A database for jobs and instances that share it; removed at the end of the test. */
export async function jobSetting(t: TestContext): Promise<JobSetting> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-jobs-'));
  const databaseUrl = await testDatabase();
  const open = () => openDatabase({ databaseUrl, dataDir, onLostConnection: () => undefined });
  const opened: OpenDatabase[] = [await open()];
  const started: Jobs[] = [];
  let written = '';
  const log = createLog('info', { write: (line: string) => void (written += line) });
  t.after(async () => {
    await Promise.all(started.map((jobs) => jobs.stop()));
    await Promise.all(opened.map((database) => database.close()));
    await rm(dataDir, { recursive: true, force: true });
  });
  const [database] = opened as [OpenDatabase];
  return {
    databaseUrl,
    dataDir,
    database,
    log: () => written,
    async instance(handlers, options = {}) {
      const { db, engine, ...rest } = await open();
      opened.push({ db, engine, ...rest });
      const jobs = createJobs({ db, engine, handlers, newId, log, ...options });
      started.push(jobs);
      return jobs;
    },
  };
}
