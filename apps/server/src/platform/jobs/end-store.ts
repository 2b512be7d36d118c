import { sql } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import { type Claim, type JobDatabase, heldBy, lockLane, releaseHeld } from './rows.ts';

/** How an attempt ended. Waits are milliseconds. */
export type Outcome =
  | { readonly state: 'done' | 'cancelled' }
  /** `isSuccess` resets the count of attempts for the next run. */
  | { readonly state: 'ready'; readonly wait: number; readonly isSuccess: boolean; readonly reason?: string }
  /** Returned unfinished because the process stops: the attempt does not count. */
  | { readonly state: 'returned' }
  | { readonly state: 'dead'; readonly reason: string };

export interface Ended {
  readonly claim: Claim;
  readonly lane: string | null;
  readonly outcome: Outcome;
}

/** Stores how attempts ended, unless another runner has claimed the job meanwhile. */
export function createEndStore(jobs: JobDatabase) {
  const { db } = jobs;

  async function endOne(transaction: Db, { claim, lane, outcome }: Ended): Promise<void> {
    if (lane !== null) await lockLane(jobs, transaction, lane);
    const mine = transaction.updateTable('job').where(heldBy([claim]));
    const free = { holder: null, isCancelled: 0 };
    if (outcome.state === 'ready') {
      const { wait, isSuccess, reason } = outcome;
      const dueAt = sql<number>`${jobs.now} + ${sql.lit(Math.round(wait))}`;
      const verdict = isSuccess
        ? { attempts: 0, failedAt: null, reason: null, progress: null }
        : reason === undefined
          ? { attempts: 0 }
          : { failedAt: jobs.now, reason };
      await mine.set({ ...free, state: 'ready', dueAt, ...verdict }).execute();
    } else if (outcome.state === 'returned') {
      await mine.set((by) => ({ ...free, state: 'ready', dueAt: jobs.now, attempts: by('attempts', '-', 1) })).execute();
    } else if (outcome.state === 'dead') {
      await mine.set({ ...free, state: 'dead', dueAt: null, failedAt: jobs.now, finishedAt: jobs.now, reason: outcome.reason }).execute();
    } else {
      await mine.set({ ...free, state: outcome.state, dueAt: null, finishedAt: jobs.now, failedAt: null, reason: null }).execute();
    }
    if (lane !== null) await releaseHeld(jobs, transaction, lane, 1);
  }

  return {
    /** Stores several endings in one transaction, which costs one sync to disk. */
    end: (all: readonly Ended[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const plain = all.filter(({ lane, outcome }) => lane === null && outcome.state === 'done').map(({ claim }) => claim);
        if (plain.length > 0)
          await transaction
            .updateTable('job')
            .set({ state: 'done', dueAt: null, holder: null, finishedAt: jobs.now, failedAt: null, reason: null })
            .where(heldBy(plain))
            .execute();
        // Ordered by lane, so that two instances cannot deadlock.
        const others = all.filter(({ lane, outcome }) => lane !== null || outcome.state !== 'done');
        for (const one of others.toSorted((a, b) => ((a.lane ?? '') < (b.lane ?? '') ? -1 : 1))) await endOne(transaction, one);
      }),
  };
}
export type EndStore = ReturnType<typeof createEndStore>;
