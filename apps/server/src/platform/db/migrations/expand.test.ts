import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { postgresDialect } from '#/platform/db/engines/postgres.ts';
import { openSqlite, sqliteDialect } from '#/platform/db/engines/sqlite.ts';
import type { Engine } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { testDatabase, testEngine } from '#/testing/database.ts';
import { breaksOf, readSchema } from '#/testing/states/schema.ts';
import { migrations } from './index.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migration.ts';

interface Allowed {
  /** What it breaks on both databases, or on one of them. */
  readonly breaks?: readonly string[];
  readonly sqlite?: readonly string[];
  readonly postgres?: readonly string[];
  readonly why: string;
}

const newTriggers = (trigger: string, tables: readonly string[]): string[] => tables.map((table) => `${trigger} of ${table} is new`);

/**
 * Contractions, and triggers on tables that earlier versions write: what each takes away, since when no version that may still run has used it, or why the
 * trigger does no harm to them. docs/decisions/0047 tells how.
 */
const contractions: Readonly<Record<string, Allowed>> = {
  '008-subscriptions': {
    breaks: ['account.upgradeState is gone', 'account.trialEndsAt is gone'],
    why: 'before versions ran side by side',
  },
  '014-changes': {
    postgres: [
      'tell_removal of account is new',
      'tell_change of account is new',
      ...newTriggers('tell_removal', ['session', 'auth_code', 'auth_token']),
      ...['org_member', 'space', 'space_member', 'link', 'weblink', 'subscription'].flatMap((table) => [
        ...newTriggers('tell_removal', [table]),
        ...newTriggers('tell_change', [table]),
      ]),
    ],
    why: 'they notify whoever listens, and nothing else',
  },
  '029-search': {
    sqlite: [
      ...newTriggers('listing_folder_numbered', ['listing_folder']),
      ...['listing_entry_indexed', 'listing_entry_indexed_late', 'listing_entry_unindexed'].flatMap((name) =>
        newTriggers(name, ['listing_entry']),
      ),
    ],
    why: 'they write the index alone',
  },
  '034-gone-listings': { sqlite: newTriggers('link_listings_kept', ['link']), why: 'rows of a removed link are kept, for a job to delete' },
  '115-search-gone': {
    sqlite: ['indexed', 'indexed_late', 'unindexed'].map((name) => `listing_entry_${name} of listing_entry does something else`),
    why: 'they write the index alone, in which no version finds what has no entry',
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
  const allowed = Object.entries(contractions)
    .map(([name, { breaks: both = [], [testEngine]: own = [] }]) => [name, [...both, ...own]] as const)
    .filter(([, list]) => list.length > 0);
  assert.deepEqual(await breaks(t, migrations), Object.fromEntries(allowed));
});

/** A trigger that does nothing but differ by `what`. */
async function addTrigger(db: Kysely<Database>, engine: Engine, name: string, what: string): Promise<void> {
  if (engine === 'sqlite') return void (await sql.raw(`create trigger ${name} after insert on one begin select ${what}; end`).execute(db));
  await sql.raw(`create function ${name}() returns trigger language plpgsql as $$ begin perform ${what}; return null; end $$`).execute(db);
  await sql.raw(`create trigger ${name} after insert on one for each row execute function ${name}()`).execute(db);
}

async function dropTrigger(db: Kysely<Database>, engine: Engine, name: string): Promise<void> {
  await sql.raw(`drop trigger ${name}${engine === 'sqlite' ? '' : ' on one'}`).execute(db);
  if (engine === 'postgres') await sql.raw(`drop function ${name}()`).execute(db);
}

const changing = (name: string, up: Migration['up']): Migration => ({ name, up });

test('columns and tables that go or change their names, new ones that need a value, new rules and triggers are found', async (t) => {
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
    changing('7-trigger', (db, engine) => addTrigger(db, engine, 'one_written', '1')),
    changing('8-other-trigger', async (db, engine) => {
      await dropTrigger(db, engine, 'one_written');
      await addTrigger(db, engine, 'one_written', '2');
    }),
    changing('9-no-trigger', (db, engine) => dropTrigger(db, engine, 'one_written')),
    changing('10-dropped', (db) => db.schema.dropTable('two').execute()),
  ]);
  assert.deepEqual(found, {
    '2-needed': ['two.needed is new, and inserts that do not know it are refused'],
    '4-renamed': ['one.name is gone'],
    '5-unique': ['one_kept is a new rule for rows of one'],
    '7-trigger': ['one_written of one is new'],
    '8-other-trigger': ['one_written of one does something else'],
    '9-no-trigger': ['one_written of one is gone'],
    '10-dropped': ['two is gone'],
  });
});
