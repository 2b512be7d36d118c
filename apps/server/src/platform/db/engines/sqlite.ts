import { chmodSync } from 'node:fs';
import { type SQLInputValue, DatabaseSync } from 'node:sqlite';
import { type Dialect, type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { createSqliteDrivers } from './sqlite-driver.ts';
import { type WriteQueue, defaultTimeout } from './sqlite-faults.ts';

/** Size of the cache of prepared statements; evicts the least recently used. */
const statementsKept = 256;

/** Name of a database that SQLite keeps in a nameless file of the folder for temporary files, which ends with its process, however that ends. */
export const nowhere = '';

/**
 * Opens an SQLite file (or creates it, readable by its owner only), tuned for one process that reads much: write-ahead log, foreign keys enforced. A
 * commit is on the disk before it returns (`synchronous = full`), so that answered writes survive a power cut. SQLite never waits for a lock itself,
 * which would block the process.
 */
export function openSqlite(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true });
  if (file !== ':memory:' && file !== nowhere) chmodSync(file, 0o600);
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -8000; pragma temp_store = memory');
  database.exec('pragma busy_timeout = 0');
  return database;
}

/**
 * Kysely on `node:sqlite`, with one connection: a transaction owns it until its end, so queries inside must use the transaction's handle. `patience`:
 * milliseconds to wait for another program's lock, counted in `queue` meanwhile.
 */
export const sqliteDialect = (database: DatabaseSync, timeout?: number, queue?: WriteQueue): Dialect =>
  sqliteDialects(database, timeout, queue).synced;

/**
 * Two of them over one connection. What is written by `unsynced` outlives the process, but may be missing after a power cut, unless something that was
 * written later by `synced` is there: the log of SQLite has one order.
 */
export function sqliteDialects(
  database: DatabaseSync,
  timeout = defaultTimeout,
  queue?: WriteQueue,
): { readonly synced: Dialect; readonly unsynced: Dialect } {
  const statements = new Map<string, Prepared>();
  const prepared = (sql: string): Prepared => {
    const known = statements.get(sql);
    if (known) statements.delete(sql);
    const statement = known ?? prepare(database, sql);
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > statementsKept && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
  const close = (): void => {
    statements.clear();
    if (database.isOpen) database.close();
  };
  const unsynced = <T>(work: () => T): T => {
    // Takes effect while it is compiled, so that it cannot be prepared: https://sqlite.org/pragma.html
    database.exec('pragma synchronous = normal');
    try {
      return work();
    } finally {
      database.exec('pragma synchronous = full');
    }
  };
  const drivers = createSqliteDrivers({ prepared, close, isInTransaction: () => database.isTransaction, unsynced, timeout, queue });
  const dialectOf = (driver: Driver): Dialect => ({
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  });
  return { synced: dialectOf(drivers.synced), unsynced: dialectOf(drivers.unsynced) };
}

/** A prepared statement. */
export interface Prepared {
  /** Whether it returns rows. */
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

function prepare(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql);
  const run = (parameters: readonly unknown[]) => statement.run(...parameters.map(toValue));
  // SQLite rolls back by itself when it cannot continue, as on a full disk: another rollback would fail and hide the cause.
  // https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction
  const rollBack = () => (database.isTransaction ? run([]) : { changes: 0, lastInsertRowid: 0 });
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...parameters.map(toValue)),
    run: sql === 'rollback' ? rollBack : run,
  };
}

function toValue(parameter: unknown): SQLInputValue {
  if (typeof parameter === 'boolean') return parameter ? 1 : 0;
  if (parameter === null || typeof parameter === 'string' || typeof parameter === 'number' || typeof parameter === 'bigint')
    return parameter;
  if (parameter instanceof Uint8Array) return parameter;
  throw new TypeError(`SQLite cannot hold a ${typeof parameter}`);
}
