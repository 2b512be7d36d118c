import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Pool } from 'pg';
import { createCheckout } from './postgres-connection.ts';
import { DatabaseUnavailable } from './unavailable.ts';

/** Object identifier of Postgres's 64-bit integer, which its client gives as text unless told otherwise. */
const int8 = 20;

interface Options {
  readonly url: string;
  /** Milliseconds in which a query has to be answered; none for statements that may take any time. */
  readonly patience?: number;
  /** Hears of every connection that breaks, idle or busy. */
  readonly onLostConnection: (error: Error) => void;
}

/**
 * Kysely on Postgres; the client library is loaded here, because most installations are embedded. Queries reject with DatabaseUnavailable when
 * the server cannot be reached, shuts down, breaks the connection or does not answer in time.
 */
export async function postgresDialect({ url, patience, onLostConnection }: Options): Promise<PostgresDialect> {
  const { default: postgres } = await import('pg');
  postgres.types.setTypeParser(int8, Number);
  const pool = new postgres.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 30_000 });
  // The pool listens to idle connections only: an 'error' event of a busy one that nobody hears would end the process.
  pool.on('connect', (client) => client.on('error', (error) => onLostConnection(new DatabaseUnavailable(error))));
  // Says again what the listener above has heard, and ends the process when unheard.
  pool.on('error', () => undefined);
  return new PostgresDialect({ pool: repeatingReads(pool, patience, onLostConnection) });
}

/** Statements that leave nothing behind when the connection breaks, so that they can be sent again on another one. */
const leavesNothing = /^(select|begin|start transaction)\b/i;

/**
 * The pool, whose connections send their first statement a second time, on another connection, when the first one breaks: a restarted server
 * leaves connections in the pool of which nobody knows yet that they are dead.
 */
function repeatingReads(pool: Pool, patience: number | undefined, onEnded: (error: Error) => void): PostgresPool {
  const checkOut = () => createCheckout(pool, patience, onEnded);
  return {
    async connect() {
      let checkout = await checkOut();
      let isFirst = true;
      const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
        const isRepeatable = isFirst && leavesNothing.test(text);
        isFirst = false;
        try {
          return await checkout.query(text, parameters);
        } catch (error) {
          if (!isRepeatable || !checkout.isBroken()) throw error;
          const replacement = await checkOut();
          checkout.release();
          checkout = replacement;
          return checkout.query(text, parameters);
        }
      };
      return { query: query as PostgresPoolClient['query'], release: () => checkout.release() };
    },
    end: () => pool.end(),
  };
}
