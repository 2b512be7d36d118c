import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Kysely } from 'kysely';
import { postgresDialect } from '#/platform/db/engines/postgres.ts';
import { openSqlite, sqliteDialect } from '#/platform/db/engines/sqlite.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { testDatabase, testEngine } from '#/testing/database.ts';
import { breaksOf, readSchema } from '#/testing/states/schema.ts';
import { migrations } from './index.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migration.ts';

/** Contractions: what each takes away, and since when no version that may still run has used it. docs/decisions/0047 tells how. */
const contractions: Readonly<Record<string, { readonly breaks: readonly string[]; readonly why: string }>> = {
  '008-subscriptions': {
    breaks: ['account.upgradeState is gone', 'account.trialEndsAt is gone'],
    why: 'before versions ran side by side',
  },
};

async function emptyDatabase(t: TestContext): Promise<Kysely<Database>> {
  const databaseUrl = await testDatabase({ empty: true });
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-expand-'));
  const dialect =
    databaseUrl === ''
      ? sqliteDialect(openSqlite(join(folder, 'sheaf.db')))
      : await postgresDialect({ url: databaseUrl, onLostConnection: () => undefined });
  const db = new Kysely<Database>({ dialect });
  t.after(async () => {
    await db.destroy();
    await rm(folder, { recursive: true, force: true });
  });
  return db;
}

/** What each migration breaks, of those that break anything. */
async function breaks(t: TestContext, known: readonly Migration[]): Promise<Record<string, readonly string[]>> {
  const db = await emptyDatabase(t);
  const found: Record<string, readonly string[]> = {};
  let before = await readSchema(db, testEngine);
  for (const [index, { name }] of known.entries()) {
    await migrate(db, testEngine, { known: known.slice(0, index + 1) });
    const after = await readSchema(db, testEngine);
    const some = breaksOf(before, after);
    if (some.length > 0) found[name] = some;
    before = after;
  }
  return found;
}

test('each migration leaves the tables such that the version before it goes on reading and writing', async (t) => {
  const allowed = Object.fromEntries(Object.entries(contractions).map(([name, contraction]) => [name, contraction.breaks]));
  assert.deepEqual(await breaks(t, migrations), allowed);
});

const changing = (name: string, up: Migration['up']): Migration => ({ name, up });

test('columns and tables that go or change their names, new ones that need a value, and new rules are found', async (t) => {
  const first = changing('1-first', async (db) => {
    await db.schema
      .createTable('one')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text')
      .addColumn('kept', 'text')
      .execute();
    await db.schema.createTable('two').addColumn('id', 'text').execute();
  });
  const found = await breaks(t, [
    first,
    changing('2-needed', (db) =>
      db.schema
        .alterTable('two')
        .addColumn('needed', 'text', (column) => column.notNull())
        .execute(),
    ),
    changing('3-default', (db) =>
      db.schema
        .alterTable('one')
        .addColumn('more', 'integer', (column) => column.notNull().defaultTo(1))
        .execute(),
    ),
    changing('4-renamed', (db) => db.schema.alterTable('one').renameColumn('name', 'title').execute()),
    changing('5-unique', (db) => db.schema.createIndex('one_kept').on('one').column('kept').unique().execute()),
    changing('6-new-key', async (db) => {
      await db.schema.alterTable('one').addColumn('key', 'text').execute();
      await db.schema.createIndex('one_key').on('one').columns(['kept', 'key']).unique().execute();
    }),
    changing('7-dropped', (db) => db.schema.dropTable('two').execute()),
  ]);
  assert.deepEqual(found, {
    '2-needed': ['two.needed is new, and inserts that do not know it are refused'],
    '4-renamed': ['one.name is gone'],
    '5-unique': ['one_kept is a new rule for rows of one'],
    '7-dropped': ['two is gone'],
  });
});
