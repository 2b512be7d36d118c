import { join } from 'node:path';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { createBackground } from './background.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import { jobChannel } from './db/changes.ts';
import { openDatabase } from './db/database.ts';
import { newId } from './ids.ts';
import type { JobHandler } from './jobs/job.ts';
import { createJobs } from './jobs/jobs.ts';
import { createOutbox } from './mail/outbox.ts';
import { createSmtp } from './mail/smtp.ts';
import { createThrottle } from './throttle.ts';

export type Platform = Awaited<ReturnType<typeof composePlatform>>;

/** Builds database, mail, throttle and background tasks. Rejects when the database cannot be opened. */
export async function composePlatform(config: Config, log: Logger, now: Clock) {
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    onLostConnection: (error) => log.warn({ err: error }, 'a database connection broke'),
  });
  const { db, engine } = database;
  const background = createBackground(log);
  const mailer = config.smtpUrl === '' ? createOutbox(join(config.dataDir, 'outbox'), log) : createSmtp(config.smtpUrl, config.mailFrom);
  return {
    config,
    publicUrl: config.publicUrl,
    log,
    now,
    newId,
    database,
    db,
    /** Whether no other process uses this database. */
    isAlone: engine === 'sqlite',
    background,
    mailer,
    throttle: createThrottle(db, now),
    /** Returns a callback that logs a problem that stops nothing. */
    warn:
      (message: string) =>
      (error: unknown): void =>
        log.warn({ err: error }, message),
    /** Resolves when the database answers. */
    async ping(): Promise<void> {
      await sql`select 1`.execute(db);
    },
    /** Resolves when background tasks have ended and mail and database are closed. */
    async close(): Promise<void> {
      await background.idle();
      mailer.close();
      await database.close();
    },
  };
}

/** Builds the jobs of this instance. With `schedules` false, scheduled jobs run at the start at most. */
export const composeJobs = ({ db, database: { engine }, log, background }: Platform, handlers: JobHandler[], schedules: boolean) =>
  createJobs({
    db,
    engine,
    handlers,
    newId,
    log,
    keep: (name, work) => background.start(name, () => work),
    schedules,
    ...(engine === 'postgres' && { notify: async () => void (await sql`select pg_notify(${jobChannel}, '')`.execute(db)) }),
  });
