import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '@sheaf/testbed';
import { sql } from 'kysely';
import { openDatabase } from '#/platform/db/database.ts';
import { testDatabase } from '#/testing/database.ts';
import { migrations } from './index.ts';
import { TablesInUse, lockTables } from './lock-tables.ts';
import { NewerDatabase, migrate } from './migrate.ts';
import type { Migration } from './migration.ts';

/** As many later versions do: changes several tables one after the other. */
const later: Migration = {
  name: '999-later',
  async up(db) {
    for (const table of ['account', 'listing_folder', 'leftover'] as const)
      await db.schema.alterTable(table).addColumn('laterNote', 'text').execute();
  },
};

async function open(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-migrate-'));
  const database = await openDatabase({ dataDir, databaseUrl: await testDatabase({ on: 'postgres' }), onLostConnection: () => undefined });
  t.after(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return database;
}

test('an instance of an earlier version ends its transactions while a later one changes the tables, in whatever order they use them', async (t) => {
  const { db } = await open(t);
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
    return rows.length > 0;
  };
  let saved = 0;
  const beforeChange = async (): Promise<void> => void saved++;
  let migrated: Promise<void> | undefined;
  // It uses the last table that changes, and then, while the other one waits for it, the first.
  await db.transaction().execute(async (transaction) => {
    await sql`delete from leftover`.execute(transaction);
    migrated = migrate(db, 'postgres', { beforeChange, known: [...migrations, later] });
    await eventually(isWaiting, 'the tables are asked for');
    await sql`delete from account`.execute(transaction);
  });
  await migrated;
  await sql`select "laterNote" from account`.execute(db);
  assert.equal(saved, 1, 'one backup is made, however often the tables are asked for');
  await assert.rejects(migrate(db, 'postgres'), NewerDatabase);
});

test('tables that somebody keeps are left alone after a while, and others can use them again', async (t) => {
  const { db } = await open(t);
  await db.transaction().execute(async (transaction) => {
    await sql`delete from leftover`.execute(transaction);
    const asked = db.transaction().execute((other) => lockTables(other, 100));
    await assert.rejects(asked, TablesInUse);
    await sql`delete from account`.execute(db);
  });
});
