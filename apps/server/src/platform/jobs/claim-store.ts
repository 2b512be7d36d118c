import { sql } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import { priorities } from './job.ts';
import { type Claim, type JobDatabase, type JobRow, heldBy, tryLane } from './rows.ts';

interface Wish {
  /** Kinds that this instance knows: an older version leaves newer kinds alone. */
  readonly kinds: readonly string[];
  readonly holder: string;
  /** Milliseconds. */
  readonly lease: number;
  /** Jobs to claim at most. */
  readonly limit: number;
  /** Slots among these for jobs of the priority `high` only. */
  readonly reserved: number;
}

/** Claims of due jobs and the leases that keep them. */
export function createClaimStore(jobs: JobDatabase) {
  const { db, engine } = jobs;

  /** Due jobs in the order of their times; a job whose lease has expired is due too, unless this runner holds it. */
  async function candidates(transaction: Db, priority: number, { kinds, holder }: Wish, limit: number): Promise<JobRow[]> {
    const due = transaction
      .selectFrom('job')
      .selectAll()
      .where('priority', '=', priority)
      .where('dueAt', '<=', jobs.now)
      .where('kind', 'in', kinds)
      .where((by) => by.or([by('state', '=', 'ready'), by('holder', '<>', holder)]))
      .orderBy('dueAt')
      .limit(limit);
    return (engine === 'postgres' ? due.forUpdate().skipLocked() : due).execute();
  }

  /** Jobs that may run now; those whose lane is full are held until one of the lane ends. */
  async function withinLanes(transaction: Db, rows: readonly JobRow[]): Promise<JobRow[]> {
    const chosen = rows.filter(({ lane }) => lane === null);
    for (const [lane, waiting] of Map.groupBy(rows, (row) => row.lane)) {
      if (lane === null || !(await tryLane(jobs, transaction, lane))) continue;
      const { count } = await transaction
        .selectFrom('job')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('lane', '=', lane)
        .where('state', '=', 'running')
        .where('dueAt', '>', jobs.now)
        .executeTakeFirstOrThrow();
      let running = Number(count);
      const full: JobRow[] = [];
      // Of jobs that became due in the same millisecond, the one enqueued first.
      for (const row of waiting.toSorted((a, b) => Number(a.dueAt) - Number(b.dueAt) || (a.id < b.id ? -1 : 1))) {
        if (running < (row.laneLimit ?? 1)) {
          running += 1;
          chosen.push(row);
        } else full.push(row);
      }
      for (const { scope, id } of full)
        await transaction
          .updateTable('job')
          .set({ state: 'held', dueAt: null, holder: null })
          .where('scope', '=', scope)
          .where('id', '=', id)
          .execute();
    }
    return chosen;
  }

  async function take(transaction: Db, rows: readonly JobRow[], { holder, lease }: Wish): Promise<JobRow[]> {
    if (rows.length === 0) return [];
    const keys = rows.map(({ scope, id }) => sql`(${scope}, ${id})`);
    return transaction
      .updateTable('job')
      .set((by) => ({
        state: 'running',
        holder,
        dueAt: sql<number>`${jobs.now} + ${sql.lit(lease)}`,
        attempts: by('attempts', '+', 1),
        epoch: by('epoch', '+', 1),
      }))
      .where(sql<boolean>`(scope, id) in (values ${sql.join(keys)})`)
      .returningAll()
      .execute();
  }

  return {
    /** Claims due jobs: on Postgres past those that others are claiming (`skip locked`), on SQLite in one short transaction. */
    claim: (wish: Wish): Promise<JobRow[]> =>
      db.transaction().execute(async (transaction) => {
        const taken: JobRow[] = [];
        for (const priority of Object.values(priorities)) {
          const room = wish.limit - taken.length - (priority === priorities.high ? 0 : wish.reserved);
          if (room <= 0) continue;
          const due = await candidates(transaction, priority, wish, room);
          taken.push(...(await take(transaction, await withinLanes(transaction, due), wish)));
        }
        return taken;
      }),

    /** Milliseconds until a job is due, of any priority or of `high` only; undefined when none waits. */
    async nextDue({
      kinds,
      holder,
      highOnly,
    }: Pick<Wish, 'kinds' | 'holder'> & { readonly highOnly: boolean }): Promise<number | undefined> {
      const soonest = (highOnly ? [priorities.high] : Object.values(priorities)).map((priority) =>
        db
          .selectFrom('job')
          .select(sql<number>`"dueAt" - ${jobs.now}`.as('wait'))
          .where('priority', '=', priority)
          .where('dueAt', 'is not', null)
          .where('kind', 'in', kinds)
          .where((by) => by.or([by('state', '=', 'ready'), by('holder', '<>', holder)]))
          .orderBy('dueAt')
          .limit(1)
          .executeTakeFirst(),
      );
      const waits = (await Promise.all(soonest)).flatMap((row) => (row ? [Number(row.wait)] : []));
      return waits.length === 0 ? undefined : Math.max(0, Math.min(...waits));
    },

    /** Extends leases; returns those still held, and whether each is to be cancelled. */
    extend: (claims: readonly Claim[], lease: number): Promise<(Claim & { readonly isCancelled: number })[]> =>
      db
        .updateTable('job')
        .set({ dueAt: sql<number>`${jobs.now} + ${sql.lit(lease)}` })
        .where(heldBy(claims))
        .returning(['scope', 'id', 'epoch', 'isCancelled'])
        .execute(),

    async isHeld(claim: Claim): Promise<boolean> {
      return (
        (await db
          .selectFrom('job')
          .select('id')
          .where(heldBy([claim]))
          .executeTakeFirst()) !== undefined
      );
    },

    /** Stores progress and returns the attempts, counted anew after progress; undefined when another runner has claimed the job. */
    async checkpoint(claim: Claim, progress: string): Promise<number | undefined> {
      const stored = await db
        .updateTable('job')
        .set((by) => ({
          progress,
          attempts: by
            .case()
            .when(by.or([by('progress', 'is', null), by('progress', '!=', progress)]))
            .then(1)
            .else(by.ref('attempts'))
            .end(),
        }))
        .where(heldBy([claim]))
        .returning('attempts')
        .executeTakeFirst();
      return stored?.attempts;
    },

    /** Expires all leases; only where no other process uses the database, so that every lease belongs to a process that has ended. */
    async expireAll(): Promise<void> {
      await db.updateTable('job').set({ dueAt: jobs.now }).where('dueAt', 'is not', null).where('state', '=', 'running').execute();
    },
  };
}
export type ClaimStore = ReturnType<typeof createClaimStore>;
