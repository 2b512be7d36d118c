import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import type { Database } from '#/platform/db/schema/schema.ts';

/** What all migrations make of an empty SQLite database, which is quicker to make at once than step by step. */
export interface Fresh {
  /** Names of the migrations. */
  readonly migrations: readonly string[];
  readonly statements: readonly string[];
}

/** How an empty SQLite database is made at once. */
export interface FreshSource {
  /** What was recorded, if anything. */
  readonly read: () => Promise<Fresh | undefined>;
  /** Runs statements on the connection that migrates, within its transaction: all at once, as compiling and keeping each alone takes longer than it runs. */
  readonly run: (statements: string) => void;
}

/** Beside the built server; the build writes it, so that it is never another than that of the migrations. */
export const freshFile = 'fresh-schema.json';

/** What the build has recorded; undefined where the server runs from its sources. */
export async function readFresh(): Promise<Fresh | undefined> {
  try {
    return JSON.parse(await readFile(join(import.meta.dirname, freshFile), 'utf8')) as Fresh;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Records what `migrate` makes of an empty database: its tables, indexes and triggers, and the few rows that it begins with. */
export async function recordFresh(migrate: (db: Kysely<Database>) => Promise<void>): Promise<Fresh> {
  // Only here: it is for the build, and an installation on Postgres loads no SQLite.
  const { openSqlite, sqliteDialect } = await import('#/platform/db/engines/sqlite.ts');
  const database = openSqlite(':memory:');
  const db = new Kysely<Database>({ dialect: sqliteDialect(database) });
  try {
    await migrate(db);
    const rowsOf = (query: string) => database.prepare(query).all();
    const made = rowsOf(`select type, name, sql from sqlite_master where sql is not null order by rowid`).map(
      ({ type, name, sql: text }) => ({ type: String(type), name: String(name), text: String(text) }),
    );
    // The tables in which a virtual table keeps its content are made by it.
    const virtual = made.filter(({ text }) => /^create virtual/i.test(text)).map(({ name }) => name);
    const own = made.filter(
      ({ name }) => name !== 'migration' && !name.startsWith('sqlite_') && !virtual.some((table) => name.startsWith(`${table}_`)),
    );
    const tables = own.filter(({ type, text }) => type === 'table' && !/^create virtual/i.test(text));
    const inserts = tables.flatMap(({ name }) =>
      rowsOf(`select * from "${name}"`).map((row) => {
        const columns = Object.keys(row).map((column) => `"${column}"`);
        return `insert into "${name}" (${columns.join(', ')}) values (${Object.values(row).map(literal).join(', ')})`;
      }),
    );
    // The settings of a full-text index, which are commands to it: https://sqlite.org/fts5.html#special_insert_commands
    const settings = virtual.flatMap((name) =>
      rowsOf(`select k, v from "${name}_config" where k <> 'version'`).map(
        ({ k, v }) => `insert into "${name}" ("${name}", rank) values (${literal(k)}, ${literal(v)})`,
      ),
    );
    // Rows before the triggers, which would count them once more.
    const before = own.filter(({ type }) => type !== 'trigger').map(({ text }) => text);
    const triggers = own.filter(({ type }) => type === 'trigger').map(({ text }) => text);
    const migrations = rowsOf('select name from migration order by name').map(({ name }) => String(name));
    return { migrations, statements: [...before, ...settings, ...inserts, ...triggers] };
  } finally {
    await db.destroy();
  }
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  throw new TypeError(`a row that begins a database holds a ${typeof value}`);
}
