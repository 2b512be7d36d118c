import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import type { Engine } from '#/platform/db/schema/engine.ts';
import { type Query, type Table, quoted, tablesOf } from './tables.ts';

/** Consecutive rows of one table. */
export interface Batch {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** All rows of a database at one moment, in an order in which they can be inserted. */
export interface Snapshot {
  readonly engine: Engine;
  /** Names of the applied migrations. */
  readonly migrations: readonly string[];
  readonly batches: AsyncIterable<Batch>;
  /** Runs another query in the same transaction. */
  readonly query: Query;
}

export interface SourceOptions {
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** What is left out. */
  readonly omit?: Omission;
  /** Refuses to read while another process uses the database, and keeps others out until the end. */
  readonly alone?: boolean;
}

/** Tables that are left out, and conditions (SQL) of rows that are kept. */
export interface Omission {
  readonly tables: ReadonlySet<string>;
  readonly where: Readonly<Record<string, string>>;
}

/**
 * What backups leave out: rows that Sheaf reads again from the sources or that expire within minutes, and sessions, because those that have ended since would be
 * open again. Queued mails may have been sent since.
 */
export const leftOutOfBackups: Omission = {
  tables: new Set([
    'listing_folder',
    'listing_entry',
    'listing_change',
    'session',
    'throttle',
    'sign_in',
    'sign_in_ticket',
    'passkey_challenge',
    'link_authorization',
    'parked_grant',
    'name_claim',
  ]),
  where: { job: `kind <> 'mail.send'` },
};

/** The database is used by another process. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse';
}

/** There is no embedded database. */
export class NoDatabase extends Error {
  override readonly name = 'NoDatabase';
}

/** Rows of a batch: a few milliseconds of work. */
const batchSize = 200;

/** Remains of deleted links on SQLite, which a sweep deletes. */
const remains: Readonly<Record<string, string>> = {
  account: `id <> 'gone'`,
  link: `id <> 'gone'`,
  listing_folder: `"linkId" <> 'gone'`,
  listing_entry: `"folderId" in (select id from listing_folder where "linkId" <> 'gone')`,
  listing_change: `"folderId" in (select id from listing_folder where "linkId" <> 'gone')`,
};
function selectOf({ name, columns }: Table, where: Omission['where']): string {
  const conditions = [remains[name], where[name]].filter((condition) => condition !== undefined);
  return `select ${columns.map(quoted).join(', ')} from ${quoted(name)}${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''}`;
}

/**
 * Reads the whole database as it is at this moment, in one transaction on a connection of its own: others read and write meanwhile. On SQLite the
 * write-ahead log grows until the end. `read` must have read all batches it needs when it resolves.
 */
export async function withSnapshot<T>(options: SourceOptions, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return options.databaseUrl === '' ? withSqlite(options, read) : withPostgres(options, read);
}

async function snapshotOf(
  engine: Engine,
  query: Query,
  pages: (sql: string) => AsyncIterable<readonly (readonly unknown[])[]>,
  { tables: omitted, where }: Omission = { tables: new Set(), where: {} },
): Promise<Snapshot> {
  const migrations = (await query('select name from migration order by name')).map(([name]) => String(name));
  const tables = (await tablesOf(engine, query)).filter(({ name }) => !omitted.has(name));
  async function* batches(): AsyncGenerator<Batch> {
    for (const table of tables) {
      const head = { table: table.name, columns: table.columns };
      // Tells of the table even if it has no rows.
      yield { ...head, rows: [] };
      for await (const rows of pages(selectOf(table, where))) yield { ...head, rows };
    }
  }
  return { engine, migrations, batches: batches(), query };
}

async function withSqlite<T>({ dataDir, omit, alone = false }: SourceOptions, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const file = join(dataDir, 'sheaf.db');
  // Opening it to take it alone would create it.
  if (!existsSync(file)) throw new NoDatabase(file);
  const database = new DatabaseSync(file, { readOnly: !alone, timeout: alone ? 0 : 5000 });
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  // The types of node:sqlite do not know rows as arrays.
  const query = (sql: string) => Promise.resolve(prepare(sql).all() as unknown as unknown[][]);
  async function* pages(sql: string): AsyncGenerator<unknown[][]> {
    let page: unknown[][] = [];
    for (const row of prepare(sql).iterate()) {
      page.push(row as unknown as unknown[]);
      if (page.length < batchSize) continue;
      yield page;
      page = [];
      await setImmediate();
    }
    if (page.length > 0) yield page;
  }
  try {
    if (alone) takeAlone(database);
    else database.exec('begin');
    return await read(await snapshotOf('sqlite', query, pages, omit));
  } finally {
    database.close();
  }
}

/** In this mode the first lock keeps every other connection out: https://sqlite.org/wal.html#use_of_wal_without_shared_memory */
function takeAlone(database: DatabaseSync): void {
  try {
    database.exec('pragma locking_mode = exclusive; begin immediate');
  } catch (error) {
    throw new DatabaseInUse('the database is in use', { cause: error });
  }
}

async function withPostgres<T>({ databaseUrl, omit, alone = false }: SourceOptions, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const { default: postgres } = await import('pg');
  const types = {
    getTypeParser: (oid: number) => (oid === int8 ? Number : postgres.types.getTypeParser(oid)),
  };
  const client = new postgres.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000, keepAlive: true, types });
  // A broken connection also rejects the statement that is running.
  client.on('error', () => undefined);
  await client.connect();
  const query = async (text: string) => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  async function* pages(sql: string): AsyncGenerator<unknown[][]> {
    await query(`declare copied no scroll cursor for ${sql}`);
    for (;;) {
      const rows = await query(`fetch ${batchSize} from copied`);
      if (rows.length > 0) yield rows;
      if (rows.length < batchSize) break;
    }
    await query('close copied');
  }
  try {
    if (alone) await refuseOthers(query);
    await query('begin isolation level repeatable read read only');
    return await read(await snapshotOf('postgres', query, pages, omit));
  } finally {
    await client.end();
  }
}

/** Milliseconds that a connection may take to disappear from Postgres after its client has closed it, and between two checks. */
const [leaving, lookEvery] = [3000, 100];

/** Rejects with DatabaseInUse while another client is connected to this database. Postgres's own workers are no clients. */
async function refuseOthers(query: (text: string) => Promise<readonly unknown[]>): Promise<void> {
  for (const until = Date.now() + leaving; ;) {
    const others = await query(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' limit 1`,
    );
    if (others.length === 0) return;
    if (Date.now() > until) throw new DatabaseInUse('the database is in use');
    await wait(lookEvery);
  }
}

/** Object identifier of Postgres's 64-bit integer. */
const int8 = 20;
