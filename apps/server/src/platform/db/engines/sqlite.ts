import { chmodSync } from 'node:fs';
import { type SQLInputValue, DatabaseSync } from 'node:sqlite';
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { createSqliteDriver } from './sqlite-driver.ts';
import { type WriteQueue, usualPatience } from './sqlite-faults.ts';

/** Prepared statements kept; the least recently used goes first. */
const statementsKept = 256;

/**
 * Opens (or makes, readable by its owner only) an SQLite file, tuned for one process that reads much: write-ahead log, foreign keys kept. A commit is on
 * the disk before it returns (`synchronous = full`), so that what was answered outlives a power cut. SQLite never waits for a lock by itself, which would
 * stop the process.
 */
export function openSqlite(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true });
  if (file !== ':memory:') chmodSync(file, 0o600);
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16000; pragma temp_store = memory');
  database.exec('pragma busy_timeout = 0');
  return database;
}

/**
 * Kysely on `node:sqlite`. There is one connection: a transaction has it alone until its end, so a query inside one goes through the
 * transaction's handle, never around it. `patience`: ms to wait for another program's lock, counted in `queue` meanwhile.
 */
export function sqliteDialect(database: DatabaseSync, patience = usualPatience, queue?: WriteQueue): Dialect {
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
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createSqliteDriver({ prepared, close, isInTransaction: () => database.isTransaction, patience, queue }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** A statement, prepared. */
export interface Prepared {
  /** Whether it gives rows. */
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

function prepare(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql);
  const run = (parameters: readonly unknown[]) => statement.run(...parameters.map(toValue));
  // SQLite has rolled back by itself when it cannot go on, as on a full disk: to ask for it again would fail and hide why.
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
