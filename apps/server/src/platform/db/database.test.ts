import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Kysely, sql } from 'kysely';
import { testDatabase } from '#/testing/database.ts';
import { openDatabase } from './database.ts';
import { openSqlite, sqliteDialect } from './engines/sqlite.ts';
import { databaseRow } from './engines/unavailable.ts';
import { migrations } from './migrations/index.ts';
import { createRead } from './read.ts';
import type { Database } from './schema/schema.ts';

async function place(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-db-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const databaseUrl = await testDatabase({ empty: true });
  return { dataDir, databaseUrl, onLostConnection: (error: Error) => assert.fail(error) };
}
const account = (id: string) => ({
  id,
  kind: 'person',
  name: id,
  email: `${id}@example.org`,
  emailKey: `${id}@example.org`,
  passwordHash: null,
  verifiedAt: null,
  disabledAt: null,
  closesAt: null,
  closingLease: null,
  createdAt: 4_000_000_000,
});

test('several instances that start at once on a new database migrate it once', async (t) => {
  const options = await place(t);
  const { databaseUrl, dataDir } = options;
  const script = `import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, 'database.ts'))};
    await (await openDatabase({ ...${JSON.stringify({ databaseUrl, dataDir })}, onLostConnection() {} })).close();`;
  const instance = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  await Promise.all([instance(), instance(), instance()]);
  const { db, close } = await openDatabase(options);
  const applied = await db.withTables<{ migration: { name: string } }>().selectFrom('migration').select('name').orderBy('name').execute();
  await close();
  assert.deepEqual(
    applied.map(({ name }) => name),
    migrations.map(({ name }) => name),
  );
});

test('data survives a restart, and times come back as numbers', async (t) => {
  const options = await place(t);
  const before = await openDatabase(options);
  await before.db.insertInto('account').values(account('mara')).execute();
  await before.close();
  const again = await openDatabase(options);
  const row = await again.db.selectFrom('account').selectAll().executeTakeFirst();
  await again.close();
  assert.deepEqual({ ...row }, account('mara'));
});

test('a query that Postgres does not answer is abandoned, and others are answered', async (t) => {
  const options = { ...(await place(t)), databaseUrl: await testDatabase({ on: 'postgres' }) };
  const { db, close } = await openDatabase({ ...options, timeout: 2_000 });
  await Promise.all([
    assert.rejects(sql`select pg_sleep(60)`.execute(db), { name: 'DatabaseUnavailable' }),
    assert.rejects(
      db.transaction().execute((transaction) => sql`select pg_sleep(60)`.execute(transaction)),
      { name: 'DatabaseUnavailable' },
    ),
  ]);
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);
  await close();
  assert.deepEqual(rows, [{ one: 1 }]);
});

test('of two transactions in a deadlock on Postgres one goes on, and the other is an outage, after which the same request may come again', async (t) => {
  const { db, close } = await openDatabase({ ...(await place(t)), databaseUrl: await testDatabase({ on: 'postgres' }) });
  t.after(close);
  await db
    .insertInto('account')
    .values([account('mara'), account('eve')])
    .execute();
  const both = Promise.withResolvers<void>();
  let begun = 0;
  const rename = (first: string, second: string) =>
    db.transaction().execute(async (transaction) => {
      await transaction.updateTable('account').set({ name: 'x' }).where('id', '=', first).execute();
      if (++begun === 2) both.resolve();
      await both.promise;
      await transaction.updateTable('account').set({ name: 'x' }).where('id', '=', second).execute();
    });
  const ended = await Promise.allSettled([rename('mara', 'eve'), rename('eve', 'mara')]);
  const failures = ended.flatMap((end): unknown[] => (end.status === 'rejected' ? [databaseRow(end.reason)?.messageCode] : []));
  assert.deepEqual(failures, ['DATABASE_UNAVAILABLE']);
});

test('a database written by a newer version is refused in plain words, and stays as it is', async (t) => {
  const options = await place(t);
  const database = await openDatabase(options);
  const books = database.db.withTables<{ migration: { name: string; appliedAt: number } }>();
  for (const name of ['998-future', '999-future']) await books.insertInto('migration').values({ name, appliedAt: 1 }).execute();
  await database.close();
  const message =
    'the database was written by a newer version of Sheaf (it knows 998-future, 999-future). Please start that version; or, to stay with this one, restore the backup that was made before the upgrade';
  for (let attempts = 0; attempts < 2; attempts++) await assert.rejects(openDatabase(options), { name: 'NewerDatabase', message });
});

test('a failed transaction leaves nothing, and foreign keys are enforced', async (t) => {
  const { db, close } = await openDatabase(await place(t));
  const failed = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('account').values(account('mara')).execute();
    await transaction
      .insertInto('identity')
      .values({ issuer: 'i', subject: 's', accountId: 'nobody', provider: 'google', email: '', createdAt: 1 })
      .execute();
  });
  await assert.rejects(failed);
  assert.equal((await db.selectFrom('account').select('id').execute()).length, 0);
  await close();
});

test('concurrent transactions each have the database to themselves, and other writes stay out of them', async (t) => {
  const { db, close } = await openDatabase(await place(t));
  t.after(close);
  const insert = (name: string) => sql`insert into migration ("name", "appliedAt") values (${name}, 1)`;
  const given = new Error('given up');
  const transactions = Array.from({ length: 20 }, async (_, index) =>
    db.transaction().execute(async (transaction) => {
      await insert(`transaction ${index}`).execute(transaction);
      await new Promise((resolve) => setImmediate(resolve));
      if (index % 2 === 1) throw given;
    }),
  );
  const writes = Array.from({ length: 20 }, async (_, index) => insert(`write ${index}`).execute(db));
  const ended = await Promise.allSettled([...transactions, ...writes]);
  const failures = ended.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []));
  assert.deepEqual(failures, Array<Error>(10).fill(given));
  const { rows } = await sql<{ count: number }>`select count(*) as count from migration where "appliedAt" = 1`.execute(db);
  assert.equal(Number(rows[0]?.count), 30);
});

test('a write without room on the disk says so and leaves nothing', async (t) => {
  const { db, sqlite, close } = await openDatabase({ ...(await place(t)), databaseUrl: '' });
  const pages = sqlite?.prepare('pragma page_count').get()?.['page_count'];
  sqlite?.exec(`pragma max_page_count = ${Number(pages) + 2}`);
  const rows = Array.from({ length: 50 }, (_, index) => ({ ...account(`person-${index}`), name: 'x'.repeat(5000) }));
  const writing = db.transaction().execute(async (transaction) => {
    for (const row of rows) await transaction.insertInto('account').values(row).execute();
  });
  await assert.rejects(writing, (error) => databaseRow(error)?.messageCode === 'DATABASE_FULL');
  assert.deepEqual(await db.selectFrom('account').select('id').execute(), []);
  await close();
});

test('a file that is not a database is refused by its name', async (t) => {
  const options = { ...(await place(t)), databaseUrl: '' };
  const file = join(options.dataDir, 'sheaf.db');
  await writeFile(file, 'a text that is longer than the head of a database is. '.repeat(10));
  await assert.rejects(openDatabase(options), { message: `${file} cannot be used: file is not a database` });
});

test('the embedded database can be read by its owner only', async (t) => {
  const options = { ...(await place(t)), databaseUrl: '' };
  const database = await openDatabase(options);
  for (const name of ['sheaf.db', 'sheaf.db-wal']) assert.equal((await stat(join(options.dataDir, name))).mode & 0o077, 0, name);
  await database.close();
});

test('a read that bypasses the driver returns the same rows as the query', async (t) => {
  const { close, ...database } = await openDatabase(await place(t));
  t.after(close);
  const { db } = database;
  await db
    .insertInto('account')
    .values([account('mara'), account('eve')])
    .execute();
  const read = createRead(database);
  const query = (id: string) =>
    db
      .selectFrom('account')
      .select(['id as who', 'disabledAt', 'createdAt', ({ fn }) => fn.countAll<number>().over().as('count')])
      .where('id', '>=', id)
      .orderBy('id');
  for (const id of ['eve', 'mara', 'nobody']) {
    const rows = await read(query(id).compile());
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      (await query(id).execute()).map((row) => ({ ...row })),
    );
  }
});

test('a database locked by another program blocks nobody: reads continue, writes wait for it, or report it in the end', async (t) => {
  const options = await place(t);
  const database = await openDatabase({ ...options, databaseUrl: '' });
  t.after(database.close);
  const { db } = database;
  const other = new DatabaseSync(join(options.dataDir, 'sheaf.db'));
  t.after(() => other.close());
  other.exec('begin immediate');
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let isWritten = false;
  const written = db
    .transaction()
    .execute((transaction) => transaction.insertInto('account').values(account('mara')).execute())
    .then(() => (isWritten = true));
  const alone = db.insertInto('account').values(account('eve')).execute();
  for (let turns = 0; turns < 20; turns++) {
    assert.deepEqual(await db.selectFrom('account').select('id').execute(), []);
    await sleep(20);
  }
  delay.disable();
  assert.equal(isWritten, false);
  assert.ok(delay.max < 3e9, `the process stood still for ${delay.max / 1e6} ms`);
  other.exec('commit');
  await Promise.all([written, alone]);
  assert.equal((await db.selectFrom('account').select('id').execute()).length, 2);
});

test('a write that another program blocks for good is an outage', async (t) => {
  const { dataDir } = await place(t);
  await (await openDatabase({ databaseUrl: '', dataDir, onLostConnection: () => undefined })).close();
  const file = join(dataDir, 'sheaf.db');
  const db = new Kysely<Database>({ dialect: sqliteDialect(openSqlite(file), 50) });
  t.after(() => db.destroy());
  const other = new DatabaseSync(file);
  t.after(() => other.close());
  other.exec('begin immediate');
  const isOutage = (error: unknown) => databaseRow(error)?.messageCode === 'DATABASE_UNAVAILABLE';
  await assert.rejects(db.insertInto('account').values(account('mara')).execute(), isOutage);
  const writing = db.transaction().execute((transaction) => transaction.insertInto('account').values(account('mara')).execute());
  await assert.rejects(writing, isOutage);
  other.exec('rollback');
  await db.insertInto('account').values(account('mara')).execute();
});
