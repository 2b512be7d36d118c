import { join } from 'node:path';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { createBackground } from './background.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import { folderChannel, jobChannel } from './db/changes.ts';
import { openDatabase } from './db/database.ts';
import type { Engine } from './db/schema/engine.ts';
import { readFolderId } from './folder-id.ts';
import { newId } from './ids.ts';
import { type JobHandler, localMark } from './jobs/job.ts';
import { type JobRequest, createJobs } from './jobs/jobs.ts';
import type { Mail } from './mail/mailer.ts';
import { createOutbox } from './mail/outbox.ts';
import { type Sealer, createMailQueue } from './mail/queue.ts';
import { createSmtp } from './mail/smtp.ts';
import { databaseLines, databaseReadings, databaseUnits } from './metrics/database.ts';
import { createProcessMetrics, processUnits } from './metrics/process.ts';
import { createProviderLoad } from './metrics/provider-load.ts';
import { createSourceCalls } from './metrics/source-calls.ts';
import { createTransferMetrics, transferUnits } from './metrics/transfers.ts';
import { createThrottle } from './throttle.ts';
import { openTracing } from './tracing/tracing.ts';

export type Platform = Awaited<ReturnType<typeof composePlatform>>;

interface Deps {
  readonly vault: Sealer;
  readonly enqueue: (...requests: readonly JobRequest[]) => Promise<unknown>;
  /** Runs before the tables of an existing database change. */
  readonly beforeChange: () => Promise<void>;
}

/** Builds database, mail, throttle and background tasks. Rejects when the database cannot be opened. */
export async function composePlatform(config: Config, log: Logger, now: Clock, { vault, enqueue, beforeChange }: Deps) {
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    beforeChange,
    onLostConnection: (error) => log.warn({ err: error }, 'a database connection broke'),
  });
  const { db, engine } = database;
  const background = createBackground(log);
  const transport = config.smtpUrl === '' ? createOutbox(join(config.dataDir, 'outbox'), log) : createSmtp(config.smtpUrl, config.mailFrom);
  const { mailer, job: mailJob } = createMailQueue({ transport, vault, enqueue, newId, name: config.brandName });
  const sourceCalls = createSourceCalls();
  const transferMetrics = createTransferMetrics();
  const providerLoad = createProviderLoad(now);
  /** Resolves when the database answers. */
  async function ping(): Promise<void> {
    await sql`select 1`.execute(db);
  }
  /** Size of the database in bytes, as it reports itself. */
  async function databaseBytes(): Promise<number> {
    const size =
      engine === 'sqlite'
        ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
        : sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`;
    return Number((await size.execute(db)).rows[0]?.bytes ?? 0);
  }
  const answering = {
    ping,
    bytes: databaseBytes,
    onTrouble: (error: unknown) => log.error({ err: error }, 'no metrics of the database'),
  };
  const tracing = await openTracing(config, log);
  const ownMetrics = tracing && createProcessMetrics();
  if (ownMetrics) tracing.gauges(processUnits, ownMetrics.readings);
  tracing?.gauges(databaseUnits, () => databaseReadings(answering));
  tracing?.gauges(transferUnits, transferMetrics.readings);
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
    enqueue,
    /** Names a kind of job that works on the local disk, so that each data folder has its own. */
    localKind: await localKindOf(config.dataDir, engine),
    background,
    mailer,
    /** Delivers queued mails. */
    mailJob,
    /** Sends a mail at once; rejects with what the mail server said. */
    deliver: (mail: Mail): Promise<void> => transport.send(mail, newId()),
    /** Connects to the mail server and signs in; undefined without one. */
    checkMail: transport.check,
    throttle: createThrottle(db, now),
    /** Sends payloads about changed folders to every instance; only with Postgres. */
    async notifyFolders(payloads: readonly string[]): Promise<void> {
      await sql`select pg_notify(${folderChannel}, payload) from unnest(${[...payloads]}::text[]) as payload`.execute(db);
    },
    /** Returns a callback that logs a problem which the program survives. */
    warn:
      (message: string) =>
      (error: unknown): void =>
        log.warn({ err: error }, message),
    ping,
    databaseBytes,
    /** Counts calls to linked sources. */
    sourceCalls,
    /** Counts transfers between links. */
    transferMetrics,
    providerLoad,
    /** Traces and metrics for a collector; undefined without one. */
    tracing,
    /** Metrics of the database, of linked sources and of transfers. */
    metricLines: async (): Promise<string[]> => [...(await databaseLines(answering)), ...sourceCalls.lines(), ...transferMetrics.lines()],
    /** Resolves when background tasks have ended and mail and database are closed. */
    async close(): Promise<void> {
      await background.idle();
      transport.close();
      // Before the database is closed: the last metrics still query it.
      await tracing?.close();
      ownMetrics?.close();
      await database.close();
    },
  };
}

/** With one instance the kind itself; otherwise with the id of the data folder. */
async function localKindOf(dataDir: string, engine: Engine): Promise<(kind: string) => string> {
  if (engine === 'sqlite') return (kind) => kind;
  const folderId = await readFolderId(dataDir);
  return (kind) => `${kind}${localMark}${folderId}`;
}

/** Builds the jobs of this instance. With `schedules` false, scheduled jobs run at the start at most. */
export const composeJobs = ({ db, database: { engine }, log, background, tracing }: Platform, handlers: JobHandler[], schedules: boolean) =>
  createJobs({
    db,
    engine,
    handlers,
    newId,
    log,
    tracing,
    keep: (name, work) => background.start(name, () => work),
    schedules,
    ...(engine === 'postgres' && { notify: async () => void (await sql`select pg_notify(${jobChannel}, '')`.execute(db)) }),
  });
