import { type DatabaseConnection, type Driver, type QueryResult, CompiledQuery } from 'kysely';
import { type WriteQueue, faultOf, retryLocked } from './sqlite-faults.ts';
import type { Prepared } from './sqlite.ts';

interface Options {
  readonly prepared: (sql: string) => Prepared;
  readonly close: () => void;
  readonly isInTransaction: () => boolean;
  /** ms to wait for another program's lock. */
  readonly patience: number;
  readonly queue: WriteQueue | undefined;
}

/**
 * Kysely's driver for the one connection to an SQLite file. Who waits for another program's lock lets the others read meanwhile: a transaction has the
 * connection to itself only once it has begun, and it begins with the lock it writes under, so that no statement within has to wait for one.
 */
export function createSqliteDriver({ prepared, close, isInTransaction, patience, queue }: Options): Driver {
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
    // Kysely has typed the rows of this very query; node:sqlite cannot know them.
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }

  /** Runs a statement alone, or as part of the transaction that its connection has begun. */
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
        // Nothing may come between the look at the holder and the statement: not even a microtask, in which another one could begin a transaction.
        while (holder !== undefined && holder !== connection) await freed.promise;
        const result = run<R>(query);
        // A transaction may also be begun by a statement of one's own, as the migrations do.
        if (isInTransaction()) holder = connection;
        return result;
      },
      patience,
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
