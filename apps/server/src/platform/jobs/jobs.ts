import type { Logger } from 'pino';
import type { Db, Engine } from '#/platform/db/schema/engine.ts';
import type { Tracing } from '#/platform/tracing/tracing.ts';
import { createClaimStore } from './claim-store.ts';
import { type Cron, parseCron } from './cron.ts';
import { createEndStore } from './end-store.ts';
import { createEndings } from './endings.ts';
import { type NewJob, createJobStore, scheduleKey, systemScope } from './job-store.ts';
import { type JobHandler, type Priority, priorities } from './job.ts';
import { createJobMetrics } from './metrics.ts';
import { type JobRow, jobDatabase } from './rows.ts';
import { createRunner } from './runner.ts';
import { createRuns } from './runs.ts';

interface Deps {
  readonly db: Db;
  readonly engine: Engine;
  readonly handlers: readonly JobHandler[];
  readonly newId: () => string;
  readonly log: Logger;
  /** Tracks running work; must not reject. */
  readonly keep?: (name: string, work: Promise<void>) => void;
  /** Epoch milliseconds; used on SQLite only. */
  readonly clock?: () => number;
  /** Notifies other instances of a new job; absent with one instance. */
  readonly notify?: () => Promise<void>;
  /** False: scheduled kinds run only on request. */
  readonly schedules?: boolean;
  /** Milliseconds after which others take over the jobs of a dead process. */
  readonly lease?: number;
  /** Concurrent jobs in this process. */
  readonly slots?: number;
  /** Gets a span for each run, and gauges of the stored jobs. */
  readonly tracing?: Tracing | undefined;
}

/** A job to enqueue. */
export interface JobRequest {
  /** The link, account or organisation it belongs to; absent for the installation. */
  readonly scope?: string;
  readonly kind: string;
  readonly payload: unknown;
  /** Enqueues at most one job of the scope and kind with this key while that one is stored (until an hour after its end). */
  readonly key?: string;
  readonly priority?: Priority;
  /** Milliseconds from now. */
  readonly wait?: number;
  /** Jobs of one lane, such as `user:1` or `link:2`: at most `limit` run at once among all instances. */
  readonly lane?: { readonly name: string; readonly limit: number };
}

export interface JobRef {
  readonly scope: string;
  readonly id: string;
}

export type Jobs = ReturnType<typeof createJobs>;

const usualLease = 30_000;
const usualSlots = 16;
/** Milliseconds between two polls: short on Postgres, where a notification may be missed; a single process knows every job itself. */
const pollEvery = { sqlite: 60_000, postgres: 5000 } as const;
/** Milliseconds between two notifications: Postgres serialises commits of notifying transactions. */
const notifyEvery = 50;
/** Milliseconds for which done jobs, and dead or cancelled ones, are kept. */
const [keepDone, keepFailed] = [3_600_000, 30 * 86_400_000];
/** Rows of one insert: SQLite takes 32,766 parameters. */
const insertBatch = 500;

/** Background jobs, stored so that none is lost with its process. Each runs at least once: handlers are repeatable, or check `stillMine`. */
export function createJobs(deps: Deps) {
  const { db, engine, newId, log, notify, schedules = true, lease = usualLease, slots = usualSlots, clock = Date.now } = deps;
  const { keep = () => undefined, tracing } = deps;
  const database = jobDatabase(db, engine, clock);
  const store = createJobStore(database);
  const claims = createClaimStore(database);
  const onTrouble = (error: unknown): void => log.error({ err: error }, 'jobs cannot reach the database');
  const endings = createEndings({ store: createEndStore(database), retryFor: lease, onTrouble });
  const handlers = new Map(deps.handlers.map((handler) => [handler.kind, handler]));
  const crons = new Map<string, Cron>();
  for (const { kind, schedule } of deps.handlers) if (schedule !== undefined) crons.set(kind, parseCron(schedule));
  const metrics = createJobMetrics(store, onTrouble);
  /** A wait is right on every clock that is accurate to about a second; all instances share the row. */
  const untilNext = (kind: string): number => (crons.get(kind)?.next(clock()) ?? Infinity) - clock();
  tracing?.gauges({ 'sheaf.jobs': '{job}', 'sheaf.jobs.oldest': 's' }, metrics.readings);
  let made = 0;
  /** Sorts by time, and within a millisecond by the order of the calls. */
  const makeId = (): string => {
    made = (made + 1) % 36 ** 4;
    return clock().toString(36).padStart(9, '0') + made.toString(36).padStart(4, '0') + newId();
  };

  async function keepSchedules(isStart: boolean): Promise<void> {
    const due = deps.handlers.flatMap(({ kind, atStart }) => {
      const isDueNow = isStart && atStart;
      return crons.has(kind) && (schedules || isDueNow) ? [{ id: makeId(), kind, wait: schedules ? untilNext(kind) : 0, isDueNow }] : [];
    });
    await store.schedule(due);
  }

  /** Scheduled kinds that were asked for while they ran: that run may have looked before what it was to see. */
  const wanted = new Set<string>();
  const holder = newId();
  const runs = createRuns({
    store: claims,
    endings,
    handlers,
    untilNext: (kind) => (schedules ? untilNext(kind) : keepFailed),
    log,
    counted: metrics.count,
    onEnd: async ({ scope, id, kind }) => {
      if (wanted.delete(kind)) await store.retryNow(scope, id).catch(onTrouble);
    },
    tracing,
  });
  const runner = createRunner({
    store: claims,
    runs,
    endings,
    kinds: [...handlers.keys()],
    holder,
    slots,
    lease,
    pollEvery: pollEvery[engine],
    keep: (work) => keep('jobs', work),
    onMinute: () => keepSchedules(false),
    onTrouble,
  });

  let telling: NodeJS.Timeout | undefined;
  /** Notifies other instances, throttled; polling makes up for a failed notification. */
  function tellOthers(): void {
    if (notify) telling ??= setTimeout(() => ((telling = undefined), void notify().catch(onTrouble)), notifyEvery).unref();
  }

  const toRow = ({ scope = systemScope, kind, payload, key, priority = 'normal', wait = 0, lane }: JobRequest): NewJob => {
    if (handlers.get(kind)?.accepts(payload) === false) throw new TypeError(`not a payload of ${kind}`);
    const text = JSON.stringify(payload);
    const fields = { lane: lane?.name ?? null, laneLimit: lane?.limit ?? null, priority: priorities[priority], payload: text };
    return { scope, id: makeId(), kind, dedupeKey: key ?? null, wait, ...fields };
  };

  return {
    /** Stores jobs; returns the reference of each, which for a known key is the earlier job's. */
    async enqueue(...requests: readonly JobRequest[]): Promise<JobRef[]> {
      const rows = requests.map(toRow);
      const inserted = new Set<string>();
      for (let at = 0; at < rows.length; at += insertBatch)
        for (const id of await store.insert(rows.slice(at, at + insertBatch))) inserted.add(id);
      runner.wake();
      tellOthers();
      const refs: JobRef[] = [];
      for (const { scope, id, kind, dedupeKey } of rows) {
        const known = inserted.has(id) || dedupeKey === null ? undefined : await store.findByKey(scope, kind, dedupeKey);
        refs.push({ scope, id: known?.id ?? id });
      }
      return refs;
    },

    find: ({ scope, id }: JobRef): Promise<JobRow | undefined> => store.find(scope, id),
    /**
     * Cancels a job, which counts as failed for good to callers that wait for it. False when there is nothing to cancel: it has ended, or
     * it is scheduled work, which would never run again.
     */
    async cancel({ scope, id }: JobRef): Promise<boolean> {
      const row = await store.find(scope, id);
      if (!row || row.dedupeKey === scheduleKey) return false;
      // A running job reports its own end.
      if (row.state === 'ready' || row.state === 'held') await runs.died(row);
      const isCancelled = await store.cancel(scope, id);
      runner.cancel(id);
      runner.wake();
      return isCancelled;
    },
    /** Deletes all jobs of a link or account that no longer exists. */
    forget: store.forget,

    /** Runs a scheduled kind now; once more if this instance is running it, while a run of another instance counts as the one asked for. */
    async runNow(kind: string): Promise<void> {
      const row = await store.findByKey(systemScope, kind, scheduleKey);
      if (row) {
        wanted.add(kind);
        if (await store.retryNow(row.scope, row.id)) wanted.delete(kind);
      }
      runner.wake();
      tellOthers();
    },
    /** Runs a failed job now; false when there is nothing to retry. */
    async retryNow({ scope, id }: JobRef): Promise<boolean> {
      const isRetried = await store.retryNow(scope, id);
      runner.wake();
      tellOthers();
      return isRetried;
    },
    failing: store.failing,
    running: store.running,
    waiting: store.waiting,
    counts: store.counts,
    countFailing: store.countFailing,
    /** Whether a job runs again and again at its times. */
    isScheduled: ({ dedupeKey }: Pick<JobRow, 'dedupeKey'>): boolean => dedupeKey === scheduleKey,
    /** Kinds that this instance runs. */
    kinds: [...handlers.keys()] as readonly string[],
    clear: () => store.clear(keepDone, keepFailed),
    metrics: metrics.lines,

    /** Starts to run jobs. With `isAlone` (no other process uses the database) it does not wait for leases of an earlier process. */
    async start({ isAlone }: { readonly isAlone: boolean }): Promise<void> {
      if (isAlone) await claims.expireAll();
      await keepSchedules(true);
      runner.start();
    },
    /** Called when another instance has enqueued a job. */
    wake: runner.wake,
    /** Stops running jobs gracefully; returns unfinished ones. */
    async stop(): Promise<void> {
      clearTimeout(telling);
      await runner.stop();
    },
  };
}
