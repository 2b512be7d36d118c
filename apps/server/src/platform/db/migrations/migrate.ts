import { type Kysely, sql } from 'kysely';
import type { Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { migrations } from './index.ts';

/** An arbitrary number, the same in every instance: its holder migrates on Postgres. */
const advisoryLock = 7_433_321;

type Bookkeeping = { migration: { name: string; appliedAt: number } };

/**
 * Applies missing migrations in order, all or nothing; of several instances that start at once one migrates and the others wait. `beforeChange` runs
 * before the tables of an existing database change; if it rejects, nothing changes.
 */
export async function migrate(db: Kysely<Database>, engine: Engine, beforeChange?: () => Promise<void>): Promise<void> {
  await db.connection().execute(async (connection) => {
    // Plain `begin` takes SQLite's write lock only at the first write, when another process may have migrated already.
    await sql.raw(engine === 'sqlite' ? 'begin immediate' : 'begin').execute(connection);
    try {
      if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(connection);
      await migrateWithin(connection, engine, { beforeChange });
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

/** The database has a migration that this program does not know. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase';
  constructor(stranger: string) {
    super(`the database was written by a newer version of Sheaf (it knows ${stranger})`);
  }
}

interface Steps {
  /** Only these migrations; all when absent. */
  readonly only?: ReadonlySet<string>;
  readonly beforeChange?: (() => Promise<void>) | undefined;
}

/** Applies missing migrations within the transaction of the connection. Throws when the database, or `only`, has an unknown one. */
export async function migrateWithin(connection: Kysely<Database>, engine: Engine, { only, beforeChange }: Steps = {}): Promise<void> {
  const books = connection.withTables<Bookkeeping>();
  await books.schema
    .createTable('migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('appliedAt', 'bigint', (column) => column.notNull())
    .execute();
  const applied = new Set((await books.selectFrom('migration').select('name').execute()).map(({ name }) => name));
  const stranger = [...applied, ...(only ?? [])].find((name) => !migrations.some((migration) => migration.name === name));
  if (stranger !== undefined) throw new NewerDatabase(stranger);
  const missing = migrations.filter(({ name }) => !applied.has(name) && (only?.has(name) ?? true));
  if (applied.size > 0 && missing.length > 0) await beforeChange?.();
  for (const migration of missing) {
    await migration.up(connection, engine);
    await books
      .insertInto('migration')
      .values({ name: migration.name, appliedAt: Math.floor(Date.now() / 1000) })
      .execute();
  }
}
