import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type JobRow = Database['job'];

/** A claim of a job. Its epoch fences the worker: once somebody else has claimed the job, nothing that names the old epoch is written. */
export interface Claim {
  readonly scope: string;
  readonly id: string;
  readonly epoch: number;
}

export interface JobDatabase {
  readonly db: Db;
  readonly engine: Engine;
  /** Now as SQL, epoch milliseconds: the server's clock on Postgres, so that instances whose clocks differ or jump agree on every lease. */
  readonly now: RawBuilder<number>;
}

/** `clock` (epoch milliseconds) counts on SQLite only, where one process serves everything. */
export const jobDatabase = (db: Db, engine: Engine, clock: () => number): JobDatabase => ({
  db,
  engine,
  get now() {
    return engine === 'postgres' ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint` : sql<number>`${clock()}`;
  },
});

/** Rows that these claims still hold. */
export const heldBy = (claims: readonly Claim[]): RawBuilder<SqlBool> => {
  const values = claims.map(({ scope, id, epoch }) => sql`(${scope}, ${id}, cast(${epoch} as integer))`);
  return sql<SqlBool>`state = 'running' and (scope, id, epoch) in (values ${sql.join(values)})`;
};

/** On Postgres, holds the lane until the transaction ends: who claims and who ends jobs of one lane take turns. SQLite has one writer. */
export async function lockLane({ engine }: JobDatabase, transaction: Db, lane: string): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${lane}, 0))`.execute(transaction);
}

/** The same, without waiting: false when somebody else has the lane. */
export async function tryLane({ engine }: JobDatabase, transaction: Db, lane: string): Promise<boolean> {
  if (engine !== 'postgres') return true;
  const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${lane}, 0)) as held`.execute(
    transaction,
  );
  return rows[0]?.held === true;
}

/** Lets the oldest waiting jobs of a lane be claimed; in a transaction that holds the lane. */
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
