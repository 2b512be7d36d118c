import { type DatabaseConnection, type Driver, type QueryResult, CompiledQuery } from 'kysely';
import { type WriteQueue, faultOf, retryLocked } from './sqlite-faults.ts';
import type { Prepared } from './sqlite.ts';

interface Options {
  readonly prepared: (sql: string) => Prepared;
  readonly close: () => void;
  readonly isInTransaction: () => boolean;
  /** Milliseconds to wait for another program's lock. */
  readonly timeout: number;
  readonly queue: WriteQueue | undefined;
}

/**
 * Kysely's driver for the one connection to an SQLite file. While a statement waits for another program's lock, others may read: a transaction owns
 * the connection only once it has begun, and it begins with the write lock, so that no statement in it has to wait for one.
 */
export function createSqliteDriver({ prepared, close, isInTransaction, timeout, queue }: Options): Driver {
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

  /** Runs a statement, alone or within the transaction of its connection. */
  async function execute<R>(connection: DatabaseConnection, query: CompiledQuery): Promise<QueryResult<R>> {
    if (holder === connection) {
      try {
        return run(query);
      } catch (error) {
        throw faultOf(error);
      }
    }
    return retryLocked(
      async () => {
        // The check and the statement must not be separated, not even by a microtask, in which another transaction could begin.
        while (holder !== undefined && holder !== connection) await freed.promise;
        const result = run<R>(query);
        // A plain statement can begin a transaction too, as the migrations do.
        if (isInTransaction()) holder = connection;
        return result;
      },
      timeout,
      queue,
    );
  }

  const end = async (connection: DatabaseConnection, command: 'commit' | 'rollback'): Promise<void> => {
    await execute(connection, CompiledQuery.raw(command));
  };

  return {
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
