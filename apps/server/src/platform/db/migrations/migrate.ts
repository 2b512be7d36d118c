import { type Kysely, sql } from 'kysely';
import type { Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { migrations } from './index.ts';

/** An arbitrary number, the same in every instance: its holder migrates on Postgres. */
const advisoryLock = 7_433_321;

type Bookkeeping = { migration: { name: string; appliedAt: number } };

/** Applies missing migrations in order, all or nothing; of several instances that start at once one migrates and the others wait. */
export async function migrate(db: Kysely<Database>, engine: Engine): Promise<void> {
  await db.connection().execute(async (connection) => {
    // Plain `begin` takes SQLite's write lock only at the first write, when another process may have migrated already.
    await sql.raw(engine === 'sqlite' ? 'begin immediate' : 'begin').execute(connection);
    try {
      if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(connection);
      await applyMissing(connection, engine);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

async function applyMissing(connection: Kysely<Database>, engine: Engine): Promise<void> {
  const books = connection.withTables<Bookkeeping>();
  await books.schema
    .createTable('migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('appliedAt', 'bigint', (column) => column.notNull())
    .execute();
  const applied = new Set((await books.selectFrom('migration').select('name').execute()).map(({ name }) => name));
  const stranger = [...applied].find((name) => !migrations.some((migration) => migration.name === name));
  if (stranger !== undefined) throw new Error(`the database was written by a newer version of Sheaf (it knows ${stranger})`);
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue;
    await migration.up(connection, engine);
    await books
      .insertInto('migration')
      .values({ name: migration.name, appliedAt: Math.floor(Date.now() / 1000) })
      .execute();
  }
}
