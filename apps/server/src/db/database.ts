import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Dialect, Kysely } from 'kysely';
import { migrate } from './migrate.ts';
import type { Database } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';
export type Db = Kysely<Database>;

export interface OpenDatabase {
  readonly db: Db;
  readonly engine: Engine;
  /** Only with SQLite: for prepared statements on hot paths. Must not be used while a transaction of `db` is open in the same task. */
  readonly sqlite?: DatabaseSync;
  close(): Promise<void>;
}

interface Options {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly onIdleError: (error: Error) => void;
}

/** Opens the database that the settings name and brings its tables up to date. Throws when it cannot be used, or a newer version of Sheaf has written it. */
export async function openDatabase({ databaseUrl, dataDir, onIdleError }: Options): Promise<OpenDatabase> {
  if (databaseUrl !== '') {
    const { postgresDialect } = await import('./postgres.ts');
    return ready(await postgresDialect(databaseUrl, onIdleError), 'postgres');
  }
  const { openSqlite, sqliteDialect } = await import('./sqlite.ts');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'sheaf.db');
  try {
    const sqlite = openSqlite(file);
    return { ...(await ready(sqliteDialect(sqlite), 'sqlite')), sqlite };
  } catch (error) {
    // SQLite's own words ("disk I/O error") do not say of what.
    throw new Error(`${file} cannot be used: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function ready(dialect: Dialect, engine: Engine): Promise<OpenDatabase> {
  const db = new Kysely<Database>({ dialect });
  try {
    await migrate(db, engine);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return { db, engine, close: () => db.destroy() };
}
