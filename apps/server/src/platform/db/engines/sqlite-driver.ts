import { type DatabaseConnection, type Driver, type QueryResult, CompiledQuery } from 'kysely';
import { type WriteQueue, faultOf, retryLocked } from './sqlite-faults.ts';
import type { Prepared } from './sqlite.ts';

interface Options {
  readonly prepared: (sql: string) => Prepared;
  readonly close: () => void;
  readonly isInTransaction: () => boolean;
  /** Runs a statement outside a transaction whose commit does not wait for the disk. */
  readonly unsynced: <T>(work: () => T) => T;
  /** Milliseconds to wait for another program's lock. */
  readonly timeout: number;
  readonly queue: WriteQueue | undefined;
}

/** Two drivers over the one connection to an SQLite file. */
export interface SqliteDrivers {
  readonly synced: Driver;
  /** For single statements whose loss in a power cut does no harm. */
  readonly unsynced: Driver;
}

/**
 * Kysely's drivers for the one connection to an SQLite file. While a statement waits for another program's lock, others may read: a transaction owns
 * the connection only once it has begun, and it begins with the write lock, so that no statement in it has to wait for one.
 */
export function createSqliteDrivers({ prepared, close, isInTransaction, unsynced, timeout, queue }: Options): SqliteDrivers {
  let holder: DatabaseConnection | undefined;
  let freed = Promise.withResolvers<void>();

  function free(connection: DatabaseConnection): void {
    if (holder !== connection) return;
    holder = undefined;
    freed.resolve();
    freed = Promise.withResolvers();
  }

  function run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = prepared(sql);
    // Kysely has typed the rows of this query; node:sqlite cannot.
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }

  /** Runs a statement once no other connection is in a transaction. */
  const whenFree = <R>(connection: DatabaseConnection, query: CompiledQuery, runNow = run<R>): Promise<QueryResult<R>> =>
    retryLocked(
      async () => {
        // The check and the statement must not be separated, not even by a microtask, in which another transaction could begin.
        while (holder !== undefined && holder !== connection) await freed.promise;
        const result = runNow(query);
        // A plain statement can begin a transaction too, as the migrations do.
        if (isInTransaction()) holder = connection;
        return result;
      },
      timeout,
      queue,
    );

  /** Runs a statement, alone or within the transaction of its connection. */
  async function execute<R>(connection: DatabaseConnection, query: CompiledQuery): Promise<QueryResult<R>> {
    if (holder !== connection) return whenFree(connection, query);
    try {
      return run(query);
    } catch (error) {
      throw faultOf(error);
    }
  }

  const end = async (connection: DatabaseConnection, command: 'commit' | 'rollback'): Promise<void> => {
    await execute(connection, CompiledQuery.raw(command));
  };

  const synced: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(createConnection(execute)),
    beginTransaction: async (connection) => {
      await execute(connection, CompiledQuery.raw('begin immediate'));
    },
    commitTransaction: (connection) => end(connection, 'commit'),
    rollbackTransaction: (connection) => end(connection, 'rollback'),
    releaseConnection: async (connection) => free(connection),
    destroy: async () => close(),
  };
  const noTransactions = (): Promise<never> => Promise.reject(new Error('transactions are synced'));
  return {
    synced,
    unsynced: {
      ...synced,
      acquireConnection: () =>
        Promise.resolve(createConnection((connection, query) => whenFree(connection, query, (now) => unsynced(() => run(now))))),
      beginTransaction: noTransactions,
      commitTransaction: noTransactions,
      rollbackTransaction: noTransactions,
      // The connection is closed by the other driver.
      destroy: () => Promise.resolve(),
    },
  };
}

function createConnection(
  execute: <R>(connection: DatabaseConnection, query: CompiledQuery) => Promise<QueryResult<R>>,
): DatabaseConnection {
  const connection: DatabaseConnection = {
    executeQuery: (query) => execute(connection, query),
    streamQuery: () => {
      throw new Error('rows of SQLite are not streamed');
    },
  };
  return connection;
}
