import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Pool } from 'pg';
import { createCheckout } from './postgres-connection.ts';
import { DatabaseUnavailable } from './unavailable.ts';

/** Object identifier of Postgres's 64-bit integer, which its client returns as text by default. */
const int8 = 20;

interface Options {
  readonly url: string;
  /** Timeout of a query in milliseconds; none for migrations. */
  readonly timeout?: number;
  /** Called for every connection that breaks, idle or busy. */
  readonly onLostConnection: (error: Error) => void;
}

/**
 * Kysely on Postgres; loads the client library only here, because most installations use SQLite. Queries reject with DatabaseUnavailable when the
 * server cannot be reached, shuts down, breaks the connection or does not answer in time.
 */
export async function postgresDialect({ url, timeout, onLostConnection }: Options): Promise<PostgresDialect> {
  const { default: postgres } = await import('pg');
  postgres.types.setTypeParser(int8, Number);
  const pool = new postgres.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 30_000 });
  // The pool listens only to idle connections: an unhandled 'error' event of a busy one would end the process.
  pool.on('connect', (client) => client.on('error', (error) => onLostConnection(new DatabaseUnavailable(error))));
  // Repeats what the listener above has reported; unhandled, it would end the process.
  pool.on('error', () => undefined);
  return new PostgresDialect({ pool: repeatingReads(pool, timeout, onLostConnection) });
}

/** Statements without side effects when the connection breaks: they can be repeated on another one. */
const leavesNothing = /^(select|begin|start transaction)\b/i;

/**
 * Wraps the pool so that a connection that breaks on its first statement repeats it on another one: after a restart of the server the pool holds dead
 * connections that look alive.
 */
function repeatingReads(pool: Pool, timeout: number | undefined, onEnded: (error: Error) => void): PostgresPool {
  const checkOut = () => createCheckout(pool, timeout, onEnded);
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
