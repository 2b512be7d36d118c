import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Dialect, Kysely } from 'kysely';
import { type Aside, createAside } from './engines/aside.ts';
import { type Background, createPostgresBackground, createSqliteBackground } from './engines/background.ts';
import { type GroupedWrite, createGroupedWrite } from './grouped.ts';
import { readFresh } from './migrations/fresh.ts';
import { NewerDatabase, migrate } from './migrations/migrate.ts';
import type { Db, Engine } from './schema/engine.ts';
import type { Database } from './schema/schema.ts';

/** Statements that a task for many rows runs at once: fewer than the Postgres pool has connections, so that requests find a free one. */
export const lookupsAtOnce = 4;

export interface OpenDatabase {
  readonly db: Db;
  readonly engine: Engine;
  /**
   * For single small writes whose loss in a power cut does no harm: SQLite does not wait for the disk, which holds up everybody. They outlive the process as
   * all others do, and are on the disk once a later write of `db` is.
   */
  readonly unsynced: Db;
  /** SQLite only: for prepared statements on hot paths. Must not be used while a transaction of `db` is open in the same task. */
  readonly sqlite?: DatabaseSync;
  /** SQLite only: for long selects, which would block everybody else. */
  readonly aside?: Pick<Aside, 'read'>;
  /** For small writes of which many come close to each other. */
  readonly grouped: GroupedWrite;
  /** For writes of many rows. */
  readonly background: Pick<Background, 'write'>;
  close(): Promise<void>;
}

interface Options {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly onLostConnection: (error: Error) => void;
  /** Timeout of a query on Postgres, in milliseconds. */
  readonly timeout?: number;
  /** Runs before the tables of an existing database change; if it rejects, nothing changes. */
  readonly beforeChange?: () => Promise<void>;
}

/** Far longer than any query takes; keeps a hanging server from hanging every request. */
const defaultTimeout = 60_000;

/** Opens the configured database and migrates its tables. Throws when it cannot be used or was written by a newer version of Sheaf. */
export async function openDatabase({
  databaseUrl,
  dataDir,
  onLostConnection,
  timeout = defaultTimeout,
  beforeChange,
}: Options): Promise<OpenDatabase> {
  if (databaseUrl !== '') {
    const { postgresDialect } = await import('./engines/postgres.ts');
    // No timeout: migrating large tables may take long.
    const { close } = await ready(await postgresDialect({ url: databaseUrl, onLostConnection }), 'postgres', { beforeChange });
    await close();
    const database = opened(await postgresDialect({ url: databaseUrl, onLostConnection, timeout }), 'postgres');
    return { ...database, unsynced: database.db, background: createPostgresBackground(database.db) };
  }
  const { openSqlite, sqliteDialects } = await import('./engines/sqlite.ts');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'sheaf.db');
  try {
    const sqlite = openSqlite(file);
    const queue = { waiting: 0 };
    const dialects = sqliteDialects(sqlite, undefined, queue);
    const { close, ...database } = await ready(dialects.synced, 'sqlite', {
      beforeChange,
      fresh: { read: readFresh, run: (statements) => sqlite.exec(statements) },
    });
    const unsynced = new Kysely<Database>({ dialect: dialects.unsynced });
    const aside = createAside(file);
    const background = createSqliteBackground(file, queue);
    const closeAll = async (): Promise<void> => void (await Promise.all([aside.close(), background.close(), close()]));
    return { ...database, unsynced, sqlite, aside, background, close: closeAll };
  } catch (error) {
    if (error instanceof NewerDatabase) throw error;
    // SQLite's own message ("disk I/O error") does not name the file.
    throw new Error(`${file} cannot be used: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** A database without its worker threads. */
type Bare = Pick<OpenDatabase, 'db' | 'engine' | 'grouped' | 'close'>;

function opened(dialect: Dialect, engine: Engine): Bare {
  const db = new Kysely<Database>({ dialect });
  return { db, engine, grouped: createGroupedWrite(db, engine), close: () => db.destroy() };
}

/** Opens the dialect and migrates its tables. */
async function ready(dialect: Dialect, engine: Engine, steps: Parameters<typeof migrate>[2]): Promise<Bare> {
  const database = opened(dialect, engine);
  try {
    await migrate(database.db, engine, steps);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
