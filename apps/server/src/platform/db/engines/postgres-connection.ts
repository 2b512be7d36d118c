import type { Pool, PoolClient } from 'pg';
import { DatabaseUnavailable } from './unavailable.ts';

/** A connection that is taken from the pool. */
export interface Checkout {
  /** Rejects with DatabaseUnavailable when the connection cannot be used any more, otherwise with Postgres's own refusal. */
  query(text: string, parameters: readonly unknown[]): Promise<unknown>;
  /** Whether the server, or the way to it, has ended the connection. */
  isBroken(): boolean;
  /** Gives the connection back; one that cannot be used any more is closed. */
  release(): void;
}

/**
 * Postgres's codes for a connection that ends or is refused, where the client library reports them as the answer of a query.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped,
 * idle_session_timeout, idle_in_transaction_session_timeout, transaction_timeout; class 08 is connection_exception.
 */
const ending = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04']);

/**
 * Takes a connection out of the pool. Rejects with DatabaseUnavailable when there is none to be had. `onEnded` hears of a connection whose end the server
 * tells as the answer of a query: it is closed then, before the client library could report the end as an 'error' event.
 */
export async function createCheckout(
  pool: Pool,
  patience: number | undefined,
  onEnded: (error: DatabaseUnavailable) => void,
): Promise<Checkout> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
  let isBroken = false;
  /** Why nothing can be asked any more. */
  let unusable: DatabaseUnavailable | undefined;
  const breakOff = (error: unknown): void => {
    isBroken = true;
    unusable ??= new DatabaseUnavailable(error);
  };
  client.on('error', breakOff);

  return {
    isBroken: () => isBroken,
    async query(text, parameters) {
      // The server undoes a transaction when its connection ends.
      if (unusable && text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] };
      if (unusable) throw unusable;
      try {
        return await inTime(client.query(text, [...parameters]), patience);
      } catch (error) {
        const code = sqlStateOf(error);
        if (code === undefined) unusable ??= new DatabaseUnavailable(error);
        else if (!isBroken && (ending.has(code) || code.startsWith('08'))) {
          breakOff(error);
          onEnded(new DatabaseUnavailable(error));
        }
        throw unusable ?? error;
      }
    },
    release() {
      client.removeListener('error', breakOff);
      // A connection that still waits for a query that was given up would make the next one wait as well.
      client.release(unusable !== undefined);
    },
  };
}

/** The five characters by which Postgres names a refusal; undefined for what the client library or the network reports. */
const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** The answer; rejects when it does not come within so many milliseconds. */
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
