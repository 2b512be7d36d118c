import type { Pool, PoolClient } from 'pg';
import { DatabaseUnavailable } from './unavailable.ts';

/** A connection checked out of the pool. */
export interface Checkout {
  /** Rejects with DatabaseUnavailable when the connection is broken, otherwise with Postgres's error. */
  query(text: string, parameters: readonly unknown[]): Promise<unknown>;
  /** Whether the server or the network has ended the connection. */
  isBroken(): boolean;
  /** Returns the connection to the pool; closes a broken one. */
  release(): void;
}

/**
 * Postgres's codes for a connection that ends or is refused, where the client library reports them as the answer of a query.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped,
 * idle_session_timeout, idle_in_transaction_session_timeout, transaction_timeout; class 08 is connection_exception.
 */
const ending = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04']);

/** deadlock_detected: the statement was refused and its transaction undone, so that the same request may come again. */
const deadlock = '40P01';

/**
 * Checks out a connection. Rejects with DatabaseUnavailable when none is available. Calls `onEnded` when the server reports the connection's end as
 * the answer of a query: it is closed before the client library could emit the end as an 'error' event.
 */
export async function createCheckout(
  pool: Pool,
  timeout: number | undefined,
  onEnded: (error: DatabaseUnavailable) => void,
): Promise<Checkout> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
  let isBroken = false;
  /** Why the connection can no longer be used. */
  let unusable: DatabaseUnavailable | undefined;
  const breakOff = (error: unknown): void => {
    isBroken = true;
    unusable ??= new DatabaseUnavailable(error);
  };
  client.on('error', breakOff);

  return {
    isBroken: () => isBroken,
    async query(text, parameters) {
      // The server rolls back when its connection ends.
      if (unusable && text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] };
      if (unusable) throw unusable;
      try {
        return await inTime(client.query(text, [...parameters]), timeout);
      } catch (error) {
        const code = sqlStateOf(error);
        if (code === undefined) unusable ??= new DatabaseUnavailable(error);
        else if (!isBroken && (ending.has(code) || code.startsWith('08'))) {
          breakOff(error);
          onEnded(new DatabaseUnavailable(error));
        }
        throw unusable ?? (code === deadlock ? new DatabaseUnavailable(error) : error);
      }
    },
    release() {
      client.removeListener('error', breakOff);
      // Closes it when unusable: the abandoned query would delay the next user of the connection.
      client.release(unusable !== undefined);
    },
  };
}

/** Postgres's five-character code of a refusal; undefined for errors of the client library or the network. */
const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Awaits the answer; rejects after `milliseconds`. */
async function inTime<T>(answer: Promise<T>, milliseconds: number | undefined): Promise<T> {
  if (milliseconds === undefined) return answer;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`timeout: no answer within ${milliseconds} ms`)), milliseconds);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
