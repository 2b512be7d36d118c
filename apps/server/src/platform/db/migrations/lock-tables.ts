import { type Kysely, sql } from 'kysely';
import type { Database } from '#/platform/db/schema/schema.ts';

/** Other instances use the tables, and have not let go of them in time. */
export class TablesInUse extends Error {
  override readonly name = 'TablesInUse';
}

/** Postgres's codes of a statement that took too long, and of a lock that was not available. */
const late = new Set(['57014', '55P03']);

/**
 * On Postgres, locks all tables until the end of the transaction, so that its later statements wait for nobody. Other instances, which may be in the
 * middle of transactions, would otherwise be in deadlocks with it, and Postgres ends whichever side looks first, after its `deadlock_timeout` of a second.
 * Rejects with TablesInUse after `milliseconds`.
 */
export async function lockTables(connection: Kysely<Database>, milliseconds: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select format('%I', relname) as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' order by oid`.execute(
    connection,
  );
  await sql.raw(`set local statement_timeout = ${milliseconds}`).execute(connection);
  try {
    await sql.raw(`lock table ${rows.map(({ name }) => name).join(', ')} in access exclusive mode`).execute(connection);
  } catch (error) {
    const isLate = error instanceof Error && 'code' in error && typeof error.code === 'string' && late.has(error.code);
    throw isLate ? new TablesInUse('the tables have to change, and other programs keep them locked', { cause: error }) : error;
  }
  await sql`set local statement_timeout = 0`.execute(connection);
}
