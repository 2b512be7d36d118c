import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '@sheaf/connectors';
import { foldName } from '@sheaf/contract';
import { sql } from 'kysely';
import { createListingStore } from '#/files/listings/rows/store.ts';
import { openDatabase } from '#/platform/db/database.ts';
import { listingDatabase } from '#/testing/content.ts';
import { testDatabase } from '#/testing/database.ts';
import { buildIndex } from './index-store.ts';
import { parseQuery } from './parse-query.ts';
import { createSearchStore } from './store.ts';

const everything = { linkId: 'Link1', path: '/' };

test('rows of an earlier version are found before, while and after the index is completed', async (t) => {
  const database = await listingDatabase(t, 'Link1', { on: 'sqlite' });
  const listings = createListingStore(database);
  const search = createSearchStore(database);
  const { id } = await listings.openFolder('Link1', '/Århus');
  const names = Array.from({ length: 1500 }, (_, at) => `Pärm ${at}.txt`);
  const entries = new Map(names.map((name): [string, Entry] => [name, { name, kind: 'file' }]));
  await listings.replace(id, { entries, fingerprint: 'f', version: 'v', begunAt: 1, listedAt: 1 });
  // As an earlier version has left them.
  // The insertion resets the id of the last inserted row, which FTS5 leaves too large for JavaScript when it is written outside of a trigger.
  database.sqlite?.exec(
    "delete from listing_search; insert into search_index (id, state) values (2, ''); delete from search_index where id = 2",
  );
  await sql`update listing_entry set "searchId" = null`.execute(database.db);
  await sql`update listing_folder set "foldedPath" = null`.execute(database.db);
  await database.db.updateTable('search_index').set({ state: 'pending' }).execute();

  const bounds = { limit: 10_000, cost: 1, signal: AbortSignal.timeout(60_000) };
  const found = async () => (await search.candidates(everything, parseQuery('PARM'), bounds)).found.length;
  const asked = { database, databaseUrl: '', onMissing: (error: unknown) => assert.fail(String(error)) };
  assert.equal(await found(), 1500);
  await assert.rejects(buildIndex(asked, AbortSignal.abort()), { name: 'AbortError' });
  assert.equal(await found(), 1500);
  await listings.change(id, [{ gone: 'Pärm 7.txt' }], 2);
  await buildIndex(asked, AbortSignal.timeout(60_000));
  assert.equal(await search.isIndexed(), true);
  assert.equal(await found(), 1499);
  const { rows } = await sql<{ count: number }>`select count(*) as count from listing_search where listing_search match '"par"'`.execute(
    database.db,
  );
  assert.equal(rows[0]?.count, 1499);
  const folder = await database.db.selectFrom('listing_folder').select('foldedPath').executeTakeFirst();
  assert.equal(folder?.foldedPath, foldName('/Århus'));
});

test('on Postgres the index is built concurrently, and a missing one is reported', async (t) => {
  const databaseUrl = await testDatabase({ on: 'postgres' });
  const database = await openDatabase({ databaseUrl, dataDir: '', onLostConnection: () => undefined });
  t.after(() => database.close());
  const pending = () => database.db.updateTable('search_index').set({ state: 'pending' }).execute();
  await pending();
  const missing: unknown[] = [];
  const asked = { database, databaseUrl, onMissing: (error: unknown) => void missing.push(error) };
  await buildIndex(asked, AbortSignal.timeout(60_000));
  assert.deepEqual(missing, []);
  assert.equal(await createSearchStore(database).isIndexed(), true);
  const { rows } = await sql`select 1 from pg_index where indexrelid = 'listing_entry_search'::regclass and indisvalid`.execute(
    database.db,
  );
  assert.equal(rows.length, 1);
  await pending();
  await sql`drop extension pg_trgm cascade`.execute(database.db);
  await sql`alter table listing_entry rename column folded to other`.execute(database.db);
  await buildIndex(asked, AbortSignal.timeout(60_000));
  assert.equal(missing.length, 1);
  assert.equal(await createSearchStore(database).isIndexed(), false);
});
