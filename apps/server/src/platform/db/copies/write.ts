import { link, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CompiledQuery, Kysely, sql } from 'kysely';
import { migrateWithin } from '#/platform/db/migrations/migrate.ts';
import type { Db, Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { newId } from '#/platform/ids.ts';
import type { Batch } from './snapshot.ts';
import { type Query, isEmpty, quoted, tablesOf } from './tables.ts';

/** What is written: rows in an order in which they can be inserted, and the migrations that made their tables. */
export interface Copy {
  readonly migrations: readonly string[];
  readonly batches: AsyncIterable<Batch>;
  /** Leaves the tables as they were: later migrations are not applied. */
  readonly asItWas?: boolean;
  /** Runs when everything is written, before it is visible; if it rejects, nothing is left. */
  readonly beforeEnd?: () => Promise<void>;
}

/** Number of rows by table. */
export type Counts = Readonly<Record<string, number>>;

/** The database to fill has tables already. */
export class NotEmpty extends Error {
  override readonly name = 'NotEmpty';
}

/** The copy does not fit the tables of this program. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}

/** Most values of one statement. */
const mostValues = 2000;

/**
 * Fills an empty database in one transaction: makes the tables as they were, inserts all rows, then applies later migrations. Until its end nothing is
 * visible, and a process that is killed leaves nothing. Rejects with NotEmpty, or with Unfit when the tables are not those of this program.
 */
async function writeCopy(db: Db, engine: Engine, { migrations, batches, asItWas = false, beforeEnd }: Copy): Promise<Counts> {
  return db.connection().execute(async (connection) => {
    const query = queryOf(connection);
    await sql.raw(engine === 'sqlite' ? 'begin immediate' : 'begin').execute(connection);
    try {
      if (!(await isEmpty(engine, query))) throw new NotEmpty('the database has tables already');
      await migrateWithin(connection, engine, { only: new Set(migrations) });
      const counts = await insertAll(connection, engine, batches);
      if (!asItWas) await migrateWithin(connection, engine);
      if (engine === 'postgres') await continueSequences(connection);
      await beforeEnd?.();
      await sql`commit`.execute(connection);
      return counts;
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

interface Target {
  /** Empty: SQLite in the data folder. */
  readonly databaseUrl: string;
  readonly dataDir: string;
}

/** Fills a database that does not exist yet (SQLite) or has no tables (Postgres). Rejects as writeCopy does. */
export async function fillDatabase({ databaseUrl, dataDir }: Target, copy: Copy): Promise<Counts> {
  if (databaseUrl !== '') {
    const { postgresDialect } = await import('#/platform/db/engines/postgres.ts');
    const db = new Kysely<Database>({ dialect: await postgresDialect({ url: databaseUrl, onLostConnection: () => undefined }) });
    try {
      return await writeCopy(db, 'postgres', copy);
    } finally {
      await db.destroy();
    }
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'sheaf.db');
  const taken = () => new NotEmpty(`${file} exists already`);
  const names = await readdir(dataDir);
  if (names.includes('sheaf.db')) throw taken();
  // Drafts that killed processes left.
  for (const name of names.filter((one) => one.startsWith(draftPrefix))) await rm(join(dataDir, name), { force: true });
  const draft = join(dataDir, `${draftPrefix}${newId()}`);
  try {
    const counts = await fillFile(draft, copy);
    // Unlike a rename, a link never replaces a file.
    await link(draft, file);
    return counts;
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST' ? taken() : error;
  } finally {
    for (const end of ['', '-wal', '-shm']) await rm(`${draft}${end}`, { force: true });
  }
}
const draftPrefix = 'sheaf.db.new-';

/** Fills a database of which nothing is left afterwards, also when the process is killed; `inspect` reads it before. */
export async function fillNowhere(copy: Copy, inspect: (db: Db) => Promise<void>): Promise<Counts> {
  const { nowhere } = await import('#/platform/db/engines/sqlite.ts');
  return fillFile(nowhere, copy, inspect);
}

/** Fills a new SQLite file; `inspect` may read it before it is closed. */
async function fillFile(file: string, copy: Copy, inspect?: (db: Db) => Promise<void>): Promise<Counts> {
  const { openSqlite, sqliteDialect } = await import('#/platform/db/engines/sqlite.ts');
  const db = new Kysely<Database>({ dialect: sqliteDialect(openSqlite(file)) });
  try {
    const counts = await writeCopy(db, 'sqlite', copy);
    await inspect?.(db);
    return counts;
  } finally {
    await db.destroy();
  }
}

/** Rows as arrays: the aliases of the columns keep the order of the statement. */
const queryOf =
  (connection: Kysely<Database>): Query =>
  async (text) =>
    (await connection.executeQuery(CompiledQuery.raw(text))).rows.map((row) => Object.values(row as object));

async function insertAll(connection: Kysely<Database>, engine: Engine, batches: AsyncIterable<Batch>): Promise<Counts> {
  const tables = new Map((await tablesOf(engine, queryOf(connection))).map(({ name, columns }) => [name, new Set(columns)]));
  const counts: Record<string, number> = {};
  for await (const { table, columns, rows } of batches) {
    const known = tables.get(table);
    const stranger = columns.find((column) => !known?.has(column));
    if (!known || stranger !== undefined) throw new Unfit(`this program has no ${stranger ?? 'columns'} in the table ${table}`);
    // A migration may have inserted a first row, which the copy has too.
    if (!(table in counts)) await deleteRows(connection, table);
    counts[table] = (counts[table] ?? 0) + rows.length;
    const step = Math.max(1, Math.floor(mostValues / columns.length));
    for (let start = 0; start < rows.length; start += step)
      await connection.executeQuery(insertion(engine, table, columns, rows.slice(start, start + step)));
  }
  return counts;
}

/** Without rows, a delete would still be refused by the triggers that protect the log of operators. */
async function deleteRows(connection: Kysely<Database>, table: string): Promise<void> {
  const { rows } = await connection.executeQuery(CompiledQuery.raw(`select 1 from ${quoted(table)} limit 1`));
  if (rows.length > 0) await connection.executeQuery(CompiledQuery.raw(`delete from ${quoted(table)}`));
}

function insertion(engine: Engine, table: string, columns: readonly string[], rows: Batch['rows']): CompiledQuery {
  let number = 0;
  const place = (): string => (engine === 'sqlite' ? '?' : `$${++number}`);
  const values = rows.map(() => `(${columns.map(place).join(', ')})`).join(', ');
  return CompiledQuery.raw(`insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values ${values}`, rows.flat());
}

/** Sets sequences to continue after the highest inserted number. */
async function continueSequences(connection: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and column_default like 'nextval(%'`.execute(connection);
  for (const { table, column } of rows)
    await sql
      .raw(
        `select setval(pg_get_serial_sequence('${quoted(table)}', '${column}'), (select coalesce(max(${quoted(column)}), 0) + 1 from ${quoted(table)}), false)`,
      )
      .execute(connection);
}
