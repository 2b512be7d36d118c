import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Kysely } from 'kysely';
import { openSqlite, sqliteDialect } from '#/platform/db/engines/sqlite.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { type Fresh, recordFresh } from './fresh.ts';
import { migrations } from './index.ts';
import { migrate } from './migrate.ts';

/** Everything that an empty database has after its migrations, but their times. */
async function made(fresh?: Fresh) {
  const database = openSqlite(':memory:');
  const db = new Kysely<Database>({ dialect: sqliteDialect(database) });
  await migrate(db, 'sqlite', { fresh: { read: async () => fresh, run: (statements) => database.exec(statements) } });
  const master = database.prepare('select type, name, tbl_name, sql from sqlite_master order by type, name').all();
  const tables = master.filter(({ type, name }) => type === 'table' && name !== 'migration' && !String(name).startsWith('sqlite_'));
  const rows = tables.map(({ name }) => [name, database.prepare(`select * from "${String(name)}"`).all()]);
  const applied = database.prepare('select name from migration order by name').all();
  await db.destroy();
  return { master, rows, applied };
}

test('an empty database that is made at once is the one that the migrations make step by step', async () => {
  const fresh = await recordFresh((db) => migrate(db, 'sqlite'));
  assert.deepEqual(fresh.migrations, migrations.map(({ name }) => name).toSorted());
  assert.deepEqual(await made(fresh), await made());
});

test('what was recorded of other migrations is not used', async () => {
  const { applied } = await made({ migrations: ['001-other'], statements: ['create table other (id text)'] });
  assert.equal(applied.length, migrations.length);
});
