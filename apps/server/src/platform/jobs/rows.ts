import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type JobRow = Database['job'];

/** A claim of a job. Its epoch fences the worker: once another runner has claimed the job, writes under the old epoch have no effect. */
export interface Claim {
  readonly scope: string;
  readonly id: string;
  readonly epoch: number;
}

export interface JobDatabase {
  readonly db: Db;
  readonly engine: Engine;
  /** Current time as SQL, epoch milliseconds: the server's clock on Postgres, so that instances with different clocks agree on every lease. Never ahead of it: a schedule would find the same time next. */
  readonly now: RawBuilder<number>;
}

/** `clock` (epoch milliseconds) is used on SQLite only, which has one process. */
export const jobDatabase = (db: Db, engine: Engine, clock: () => number): JobDatabase => ({
  db,
  engine,
  get now() {
    return engine === 'postgres' ? sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint` : sql<number>`${clock()}`;
  },
});

/** Rows that these claims still hold. */
export const heldBy = (claims: readonly Claim[]): RawBuilder<SqlBool> => {
  const values = claims.map(({ scope, id, epoch }) => sql`(${scope}, ${id}, cast(${epoch} as integer))`);
  return sql<SqlBool>`state = 'running' and (scope, id, epoch) in (values ${sql.join(values)})`;
};

/** On Postgres, locks the lane until the transaction ends: claims and endings of one lane are serialised. SQLite has one writer. */
export async function lockLane({ engine }: JobDatabase, transaction: Db, lane: string): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${lane}, 0))`.execute(transaction);
}

/** Like `lockLane` without waiting: false when another transaction has the lane. */
export async function tryLane({ engine }: JobDatabase, transaction: Db, lane: string): Promise<boolean> {
  if (engine !== 'postgres') return true;
  const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${lane}, 0)) as held`.execute(
    transaction,
  );
  return rows[0]?.held === true;
}

/** Releases the oldest held jobs of a lane; called in a transaction that has locked the lane. */
export async function releaseHeld({ now }: JobDatabase, transaction: Db, lane: string, count: number): Promise<void> {
  const oldest = await transaction
    .selectFrom('job')
    .select(['scope', 'id'])
    .where('lane', '=', lane)
    .where('state', '=', 'held')
    .orderBy('id')
    .limit(count)
    .execute();
  for (const { scope, id } of oldest)
    await transaction.updateTable('job').set({ state: 'ready', dueAt: now }).where('scope', '=', scope).where('id', '=', id).execute();
}
