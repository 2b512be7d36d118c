import { PostgresDialect } from 'kysely';

/** Object identifier of Postgres's 64-bit integer, which its client gives as text unless told otherwise. */
const int8 = 20;

/** Kysely on Postgres; the client library is loaded here, because most installations are embedded. */
export async function postgresDialect(url: string, onIdleError: (error: Error) => void): Promise<PostgresDialect> {
  const { default: postgres } = await import('pg');
  postgres.types.setTypeParser(int8, Number);
  const pool = new postgres.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 30_000 });
  // A connection that breaks while idle is replaced by the pool; unheard, the event would end the process.
  pool.on('error', onIdleError);
  return new PostgresDialect({ pool });
}
