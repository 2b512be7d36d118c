import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import type { Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import type { FreshSource } from './fresh.ts';
import { migrations } from './index.ts';
import { TablesInUse, lockTables } from './lock-tables.ts';
import type { Migration } from './migration.ts';

/** An arbitrary number, the same in every instance: its holder migrates on Postgres. */
const advisoryLock = 7_433_321;

type Bookkeeping = { migration: { name: string; appliedAt: number } };

/**
 * Milliseconds that one attempt waits for the tables, during which the calls of other instances wait too: less than the `deadlock_timeout` of Postgres at
 * first; later longer than it, which ends an automatic vacuum that is in the way.
 */
const [shortAttempt, longAttempt] = [800, 5000];
/** Milliseconds between two attempts; of the short attempts; and of all. */
const [pause, shortFor, giveUpAfter] = [300, 30_000, 120_000];

interface Options {
  /** Runs before the tables of an existing database change; if it rejects, nothing changes. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
  /** The migrations that this program knows. */
  readonly known?: readonly Migration[] | undefined;
  /** What they make of an empty SQLite database, where that was recorded. */
  readonly fresh?: FreshSource | undefined;
}

/**
 * Applies missing migrations in order, all or nothing; of several instances that start at once one migrates and the others wait. Instances of an earlier
 * version may serve meanwhile. Rejects with NewerDatabase, or with TablesInUse when somebody keeps the tables locked.
 */
export async function migrate(db: Kysely<Database>, engine: Engine, { beforeChange, known, fresh }: Options = {}): Promise<void> {
  let isSaved = false;
  const saveOnce = async (): Promise<void> => {
    if (!isSaved) await beforeChange?.();
    isSaved = true;
  };
  const began = Date.now();
  for (;;) {
    const waited = Date.now() - began;
    try {
      return await attempt(db, engine, { beforeChange: saveOnce, known, fresh, lockWait: waited < shortFor ? shortAttempt : longAttempt });
    } catch (error) {
      if (!(error instanceof TablesInUse) || waited > giveUpAfter) throw error;
    }
    await wait(pause);
  }
}

async function attempt(db: Kysely<Database>, engine: Engine, steps: Steps): Promise<void> {
  await db.connection().execute(async (connection) => {
    // Plain `begin` takes SQLite's write lock only at the first write, when another process may have migrated already.
    await sql.raw(engine === 'sqlite' ? 'begin immediate' : 'begin').execute(connection);
    try {
      if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(connection);
      await migrateWithin(connection, engine, steps);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

/** The database has migrations that this program does not know. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase';
  constructor(strangers: readonly string[]) {
    super(
      `the database was written by a newer version of Sheaf (it knows ${strangers.join(', ')}). Please start that version; or, to stay with this one, restore the backup that was made before the upgrade`,
    );
  }
}

interface Steps extends Options {
  /** Only these migrations; all when absent. */
  readonly only?: ReadonlySet<string>;
  /** Milliseconds to wait for the tables that other instances use. */
  readonly lockWait?: number;
}

/** Applies missing migrations within the transaction of the connection. Throws when the database, or `only`, has an unknown one. */
export async function migrateWithin(
  connection: Kysely<Database>,
  engine: Engine,
  { only, beforeChange, known = migrations, fresh, lockWait = longAttempt }: Steps = {},
): Promise<void> {
  const books = connection.withTables<Bookkeeping>();
  await books.schema
    .createTable('migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('appliedAt', 'bigint', (column) => column.notNull())
    .execute();
  const applied = new Set((await books.selectFrom('migration').select('name').execute()).map(({ name }) => name));
  const strangers = [...new Set([...applied, ...(only ?? [])])].filter((name) => !known.some((migration) => migration.name === name));
  if (strangers.length > 0) throw new NewerDatabase(strangers.sort());
  const missing = known.filter(({ name }) => !applied.has(name) && (only?.has(name) ?? true));
  if (applied.size > 0 && missing.length > 0) {
    await beforeChange?.();
    if (engine === 'postgres') await lockTables(connection, lockWait);
  }
  const recorded = engine === 'sqlite' && applied.size === 0 ? await fresh?.read() : undefined;
  const isAtOnce = recorded !== undefined && isDeepStrictEqual(recorded.migrations, missing.map(({ name }) => name).toSorted());
  if (isAtOnce) fresh?.run(recorded.statements.join(';\n'));
  else for (const migration of missing) await migration.up(connection, engine);
  const appliedAt = Math.floor(Date.now() / 1000);
  if (missing.length > 0)
    await books
      .insertInto('migration')
      .values(missing.map(({ name }) => ({ name, appliedAt })))
      .execute();
}
