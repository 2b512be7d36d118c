import { sql } from 'kysely';
import { localMark, priorities } from './job.ts';
import { type JobDatabase, type JobRow, lockLane, releaseHeld } from './rows.ts';

/** Key of the single row of a scheduled kind. */
export const scheduleKey = 'schedule';
/** Scope of the installation's own jobs. */
export const systemScope = 'system';

export type NewJob = Pick<JobRow, 'scope' | 'id' | 'kind' | 'payload' | 'priority' | 'dedupeKey' | 'lane' | 'laneLimit'> & {
  /** Milliseconds from now. */
  readonly wait: number;
};

/** A kind that runs at its times. */
export interface Scheduled {
  /** Of its row, if it has none yet. */
  readonly id: string;
  readonly kind: string;
  /** Milliseconds until its next time. */
  readonly wait: number;
  /** It runs now, and then at its times. */
  readonly isDueNow: boolean;
}

/** Most jobs deleted by one statement. */
const batch = 1000;

/** Store of jobs for those that enqueue and manage them. */
export function createJobStore(jobs: JobDatabase) {
  const { db } = jobs;
  return {
    /** Returns the ids of the new ones; the others' keys are taken by earlier jobs. */
    async insert(all: readonly NewJob[]): Promise<Set<string>> {
      const rows = all.map(({ wait, ...job }) => ({
        ...job,
        state: 'ready',
        dueAt: sql<number>`${jobs.now} + ${sql.lit(Math.round(wait))}`,
        createdAt: jobs.now,
        attempts: 0,
        epoch: 0,
        isCancelled: 0,
      }));
      const made = await db
        .insertInto('job')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .execute();
      return new Set(made.map(({ id }) => id));
    },

    find: (scope: string, id: string): Promise<JobRow | undefined> =>
      db.selectFrom('job').selectAll().where('scope', '=', scope).where('id', '=', id).executeTakeFirst(),
    findByKey: (scope: string, kind: string, dedupeKey: string): Promise<JobRow | undefined> =>
      db
        .selectFrom('job')
        .selectAll()
        .where('scope', '=', scope)
        .where('kind', '=', kind)
        .where('dedupeKey', '=', dedupeKey)
        .executeTakeFirst(),

    /** Cancels a waiting job; marks a running one. False when it is neither. */
    cancel: (scope: string, id: string): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const its = () => transaction.updateTable('job').where('scope', '=', scope).where('id', '=', id).returning('lane');
        const waiting = await its()
          .set({ state: 'cancelled', dueAt: null, finishedAt: jobs.now })
          .where('state', 'in', ['ready', 'held'])
          .executeTakeFirst();
        if (!waiting) return (await its().set({ isCancelled: 1 }).where('state', '=', 'running').executeTakeFirst()) !== undefined;
        // The end of another job may have released this one, and no further end would release the next.
        if (waiting.lane !== null) {
          await lockLane(jobs, transaction, waiting.lane);
          await releaseHeld(jobs, transaction, waiting.lane, 1);
        }
        return true;
      }),

    /** Makes a waiting or dead job due now; false when it is neither. */
    async retryNow(scope: string, id: string): Promise<boolean> {
      const retried = await db
        .updateTable('job')
        .set((by) => ({
          dueAt: jobs.now,
          finishedAt: null,
          attempts: by.case().when('state', '=', 'dead').then(0).else(by.ref('attempts')).end(),
          state: 'ready',
        }))
        .where('scope', '=', scope)
        .where('id', '=', id)
        .where('state', 'in', ['ready', 'dead'])
        .returning('id')
        .executeTakeFirst();
      return retried !== undefined;
    },

    /** Deletes all jobs of a scope; running workers lose them. */
    forget: (scope: string): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const gone = await transaction.deleteFrom('job').where('scope', '=', scope).returning(['lane', 'laneLimit']).execute();
        const lanes = new Map(gone.flatMap(({ lane, laneLimit }) => (lane === null ? [] : [[lane, laneLimit ?? 1] as const])));
        for (const [lane, limit] of [...lanes].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
          await lockLane(jobs, transaction, lane);
          await releaseHeld(jobs, transaction, lane, limit);
        }
      }),

    /** Ensures the rows of scheduled kinds, and that none waits longer than until its next time: the clock may have been set back. */
    async schedule(all: readonly Scheduled[]): Promise<void> {
      if (all.length === 0) return;
      const its = { scope: systemScope, dedupeKey: scheduleKey };
      const rows = await db
        .selectFrom('job')
        .select(['kind', 'state', 'failedAt', sql<number>`"dueAt" - ${jobs.now}`.as('wait')])
        .where((by) => by.and(its))
        .where('kind', 'in', [...new Set(all.map(({ kind }) => kind))])
        .execute();
      const known = new Map(rows.map((row) => [row.kind, row]));
      const fields = { lane: null, laneLimit: null, priority: priorities.high, payload: '{}' };
      const missing = all.filter(({ kind }) => !known.has(kind)).toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
      // At once, and in one order: of instances that start together, each would wait for a row of the other.
      if (missing.length > 0)
        await this.insert(missing.map(({ id, kind, wait, isDueNow }) => ({ ...its, id, kind, wait: isDueNow ? 0 : wait, ...fields })));
      for (const { kind, wait, isDueNow } of all) {
        const row = known.get(kind);
        if (row?.state !== 'ready' || !(Number(row.wait) > (isDueNow ? 0 : wait))) continue;
        const waiting = db.updateTable('job').where((by) => by.and({ ...its, kind, state: 'ready' }));
        const next = sql<number>`${jobs.now} + ${sql.lit(Math.round(wait))}`;
        if (isDueNow) await waiting.set({ dueAt: jobs.now }).where('dueAt', '>', jobs.now).execute();
        else if (row.failedAt === null)
          await waiting.set({ dueAt: next }).where('failedAt', 'is', null).where('dueAt', '>', next).execute();
      }
    },

    /** Deletes jobs that ended more than `done` milliseconds ago; dead and cancelled ones after `failed`, and those of a data folder that is gone. */
    async clear(done: number, failed: number): Promise<number> {
      let removed = 0;
      await db
        .deleteFrom('job')
        .where('kind', 'like', `%${localMark}%`)
        .where('state', '=', 'ready')
        .where('dueAt', '<', sql<number>`${jobs.now} - ${sql.lit(failed)}`)
        .execute();
      for (const [states, age] of [
        [['done'], done],
        [['dead', 'cancelled'], failed],
      ] as const) {
        for (;;) {
          const old = db
            .selectFrom('job')
            .select(['scope', 'id'])
            .where('finishedAt', '<', sql<number>`${jobs.now} - ${sql.lit(age)}`)
            .where('state', 'in', states)
            .limit(batch);
          const gone = await db
            .deleteFrom('job')
            .where(sql<boolean>`(scope, id) in (${old})`)
            .returning('id')
            .execute();
          removed += gone.length;
          if (gone.length < batch) break;
        }
      }
      return removed;
    },

    /** Waiting and dead jobs by kind; `age`: milliseconds since the oldest became due. */
    async counts(): Promise<{ kind: string; state: string; count: number; age: number }[]> {
      const rows = await db
        .selectFrom('job')
        .select(({ fn }) => ['kind', 'state', fn.countAll().as('count'), sql<number>`${jobs.now} - min("dueAt")`.as('age')])
        .where((by) => by.or([by('dueAt', 'is not', null), by.and([by('failedAt', 'is not', null), by('state', '=', 'dead')])]))
        .groupBy(['kind', 'state'])
        .execute();
      const held = await db
        .selectFrom('job')
        .select(({ fn }) => ['kind', fn.countAll().as('count')])
        .where('lane', 'is not', null)
        .where('state', '=', 'held')
        .groupBy('kind')
        .execute();
      return [
        ...rows.map(({ kind, state, count, age }) => ({ kind, state, count: Number(count), age: Math.max(0, Number(age ?? 0)) })),
        ...held.map(({ kind, count }) => ({ kind, state: 'held', count: Number(count), age: 0 })),
      ];
    },

    /** Running jobs, the one that was claimed first at the front. */
    running: (limit: number): Promise<JobRow[]> =>
      db
        .selectFrom('job')
        .selectAll()
        .where('dueAt', 'is not', null)
        .where('state', '=', 'running')
        .orderBy('dueAt')
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** Jobs that wait for their time, then those that wait for another one of their lane; without those that have failed. */
    async waiting(limit: number): Promise<JobRow[]> {
      const ready = await db
        .selectFrom('job')
        .selectAll()
        .where('dueAt', 'is not', null)
        .where('state', '=', 'ready')
        .where('failedAt', 'is', null)
        .orderBy('dueAt')
        .orderBy('id')
        .limit(limit)
        .execute();
      if (ready.length === limit) return ready;
      const held = await db
        .selectFrom('job')
        .selectAll()
        .where('lane', 'is not', null)
        .where('state', '=', 'held')
        .where('failedAt', 'is', null)
        .orderBy('id')
        .limit(limit - ready.length)
        .execute();
      return [...ready, ...held];
    },

    /** How many jobs have failed, and how many of these wait for another attempt. */
    async countFailing(): Promise<{ all: number; waiting: number }> {
      const rows = await db
        .selectFrom('job')
        .select(({ fn }) => ['state', fn.countAll().as('count')])
        .where('failedAt', 'is not', null)
        .groupBy('state')
        .execute();
      const sum = (those: typeof rows): number => those.reduce((total, { count }) => total + Number(count), 0);
      return { all: sum(rows), waiting: sum(rows.filter(({ state }) => state === 'ready' || state === 'held')) };
    },

    /** Jobs whose last attempt failed, latest first. */
    failing: (limit: number): Promise<JobRow[]> =>
      db.selectFrom('job').selectAll().where('failedAt', 'is not', null).orderBy('failedAt', 'desc').limit(limit).execute(),
  };
}
export type JobStore = ReturnType<typeof createJobStore>;
