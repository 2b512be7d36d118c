import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Pool } from 'pg';

/** Object identifier of Postgres's 64-bit integer, which its client gives as text unless told otherwise. */
const int8 = 20;

interface Options {
  readonly url: string;
  /** Milliseconds in which a query has to be answered; none for statements that may take any time. */
  readonly patience?: number;
  readonly onIdleError: (error: Error) => void;
}

/** Kysely on Postgres; the client library is loaded here, because most installations are embedded. */
export async function postgresDialect({ url, patience, onIdleError }: Options): Promise<PostgresDialect> {
  const { default: postgres } = await import('pg');
  postgres.types.setTypeParser(int8, Number);
  const pool = new postgres.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // Kept by the client: poolers between refuse connections that ask the server for such a limit.
    ...(patience !== undefined && { query_timeout: patience }),
  });
  // A connection that breaks while idle is replaced by the pool; unheard, the event would end the process.
  pool.on('error', onIdleError);
  return new PostgresDialect({ pool: withoutStuck(pool) });
}

/** The pool, to which no connection goes back that still waits for a query which was given up: whoever got it next would wait for that query as well. */
function withoutStuck(pool: Pool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect();
      let isStuck = false;
      const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
        try {
          return await client.query(text, [...parameters]);
        } catch (error) {
          isStuck ||= error instanceof Error && error.message === givenUp;
          throw error;
        }
      };
      return { query: query as PostgresPoolClient['query'], release: () => client.release(isStuck) };
    },
    end: () => pool.end(),
  };
}

/** What the client library says of a query that was not answered in time; it has no code. */
const givenUp = 'Query read timeout';
