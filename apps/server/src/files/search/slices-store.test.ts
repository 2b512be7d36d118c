import assert from 'node:assert/strict';
import type { SQLInputValue } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { Entry } from '@sheaf/connectors';
import { mostFound } from '@sheaf/contract';
import { type CompiledQuery, sql } from 'kysely';
import { createListingStore } from '#/files/listings/rows/store.ts';
import type { OpenDatabase } from '#/platform/db/database.ts';
import { listingDatabase } from '#/testing/content.ts';
import { testEngine } from '#/testing/database.ts';
import { parseQuery } from './parse-query.ts';
import { createSearch } from './service.ts';
import { createSearchStore } from './store.ts';

/** Entries that a statement goes through in these tests. */
const atOnce = 100;
const { signal } = new AbortController();
const everything = { linkId: 'Link1', path: '/' };

/** A link with folders of these sizes; every 50th file is `zq`. The statements of searches are counted, and the most rows that one returned. */
async function openSliced(t: TestContext, folders: Readonly<Record<string, number>>) {
  const database = await listingDatabase(t, 'Link1');
  const listings = createListingStore(database);
  for (const [path, size] of Object.entries(folders)) {
    const names = Array.from({ length: size }, (_, at) => `img ${String(at).padStart(5, '0')}${at % 50 === 49 ? ' zq' : ''}.jpg`);
    const entries = new Map(names.map((name): [string, Entry] => [name, { name, kind: 'file', size: name.length }]));
    const { id } = await listings.openFolder('Link1', path);
    await listings.replace(id, { entries, fingerprint: 'f', version: path, begunAt: 1, listedAt: 1 });
  }
  const counted = countedReads(database);
  return { database, counted, search: createSearchStore(counted.database, atOnce) };
}

/** The database with its statements for long selects counted and kept. Each waits for `before` first. */
function countedReads(database: OpenDatabase) {
  const queries: CompiledQuery[] = [];
  const before: (statement: number) => void | Promise<void> = () => undefined;
  const counted = { database, statements: 0, queries, before };
  const run = async <Row>(query: CompiledQuery<Row>): Promise<Row[]> => {
    counted.statements++;
    queries.push(query);
    await counted.before(counted.statements);
    return database.aside ? database.aside.read(query) : (await database.db.executeQuery(query)).rows;
  };
  counted.database = { ...database, aside: { read: run } };
  return counted;
}

test('a search that the index cannot answer stops after its budget, and says so', async (t) => {
  const { search, counted } = await openSliced(t, { '/': 0, '/large': 2000, '/small': 30 });
  const look = async (query: string, cost: number) => {
    counted.statements = 0;
    const { found, ...looked } = await search.candidates(everything, parseQuery(query), { limit: mostFound, cost, signal });
    return { found: found.length, ...looked, statements: counted.statements };
  };
  for (const none of ['qx', 'type:folder', '>1gb', 'q type:pdf']) {
    const { statements, ...looked } = await look(none, 300);
    assert.deepEqual(looked, { found: 0, cost: 300, isPartial: true }, none);
    assert.ok(statements <= 8, `${statements} statements`);
  }
  assert.deepEqual(await look('zq', 500).then(({ found, isPartial }) => [found, isPartial]), [10, true]);
  const { found, isPartial, cost } = await look('zq', 1e6);
  assert.deepEqual([found, isPartial], [40, false]);
  assert.ok(cost >= 2030 && cost <= 2130, `${cost} entries`);
  // Folders that `in:` refuses cost nothing.
  assert.deepEqual(await look('qx in:small', 100).then(({ found: none, cost: few, isPartial: some }) => [none, few, some]), [0, 30, false]);
});

test('a search stops when its time is over, after one statement at least, and says so', async (t) => {
  const { search } = await openSliced(t, { '/': 2500 });
  const look = async (query: string, until: number) => {
    const bounds = { limit: mostFound, cost: 1e9, until, signal };
    const { found, isPartial } = await search.candidates(everything, parseQuery(query), bounds);
    return [found.length, isPartial];
  };
  const over = performance.now();
  assert.deepEqual(await look('zq', over), [2, true]);
  assert.deepEqual(await look('zq', over + 3_600_000), [50, false]);
  assert.deepEqual(await look('img type:pdf', over), [0, true]);
  assert.deepEqual(await look('img type:pdf', over + 3_600_000), [0, false]);
});

test('what the index gives and the filters refuse is bounded too', async (t) => {
  const { search } = await openSliced(t, { '/': 1500 });
  const look = async (query: string, cost: number) =>
    search.candidates(everything, parseQuery(query), { limit: mostFound + 1, cost, signal });
  const refused = await look('img type:pdf', 1000);
  assert.deepEqual([refused.found.length, refused.isPartial], [0, true]);
  assert.ok(refused.cost <= 1000, `${refused.cost}`);
  const whole = await look('img type:pdf', 1e6);
  assert.deepEqual([whole.found.length, whole.isPartial], [0, false]);
  const all = await look('img', 1e6);
  assert.deepEqual([all.found.length, all.isPartial], [mostFound + 1, false]);
});

// Plans are SQLite's.
if (testEngine === 'sqlite')
  test('a part of a large folder is one range of its key, whatever the filters', async (t) => {
    const { search, counted, database } = await openSliced(t, { '/': 300 });
    const { sqlite } = database;
    assert.ok(sqlite);
    await search.candidates(everything, parseQuery('type:pdf'), { limit: mostFound, cost: 1e6, signal });
    const plans = counted.queries
      .filter(({ sql: text }) => text.includes('listing_entry'))
      .map(({ sql: text, parameters }) =>
        sqlite
          .prepare(`explain query plan ${text}`)
          .all(...(parameters as readonly SQLInputValue[]))
          .map(({ detail }) => String(detail))
          .join('; '),
      );
    assert.equal(plans.length, 6);
    for (const plan of plans) assert.match(plan, /SEARCH listing_entry USING PRIMARY KEY \(folderId=\? AND \(isFile,sortKey,name\)>/);
  });

if (testEngine === 'postgres')
  test('beside a large folder a small one is read by its key, not with the whole table', async (t) => {
    const { search, counted, database } = await openSliced(t, { '/': 3, '/large': 6000 });
    await sql`analyze listing_entry`.execute(database.db);
    await search.candidates(everything, parseQuery('type:pdf'), { limit: mostFound, cost: 1, signal });
    const [query] = counted.queries.filter(({ sql: text }) => text.includes('listing_entry'));
    assert.ok(query);
    const { rows } = await database.db.executeQuery<{ 'QUERY PLAN': string }>({ ...query, sql: `explain ${query.sql}` });
    const plan = rows.map((row) => row['QUERY PLAN']).join('; ');
    assert.match(plan, /Index (Only )?Scan using listing_entry_key/);
    assert.doesNotMatch(plan, /Seq Scan on listing_entry/);
  });

test('slices leave out nothing and repeat nothing, whatever the sizes of the folders', async (t) => {
  const sizes = { '/': 1, '/a': 99, '/b': 100, '/c': 101, '/d': 250, '/e': 0, '/f': 50, '/g': 50, '/h': 200 };
  const { search } = await openSliced(t, sizes);
  const { found } = await search.candidates(everything, parseQuery('im'), { limit: 10_000, cost: 1e6, signal });
  const counts = Map.groupBy(found, ({ folder }) => folder);
  for (const [path, size] of Object.entries(sizes)) assert.equal(counts.get(path)?.length ?? 0, size, path);
  assert.equal(new Set(found.map(({ folder, entry }) => `${folder}/${entry.name}`)).size, 851);
});

test('while one account searches many rows, the search of another answers', { timeout: 60_000 }, async (t) => {
  const { search, counted, database } = await openSliced(t, { '/': 3000 });
  const other = createSearchStore(database, atOnce);
  const link = { userLinkId: 'L', name: 'L', folders: [everything] };
  const small = { userLinkId: 'S', name: 'S', folders: [{ linkId: 'Link2', path: '/' }] };
  const searching = createSearch({
    store: {
      ...search,
      candidates: (folder, ...wish) => (folder.linkId === everything.linkId ? search : other).candidates(folder, ...wish),
    },
    reachable: async (userId) => [userId === 'one' ? link : small],
    now: Date.now,
  });
  // A new connection to Postgres can take longer than all statements of the long search, which stands still at its 20th until the other has answered.
  const answered = Promise.withResolvers<void>();
  counted.before = (statement) => (statement < 20 ? undefined : answered.promise);
  let hasEnded = false;
  const long = searching.find('one', { query: 'qx', offset: 0, limit: 50 }, signal).finally(() => (hasEnded = true));
  const short = await searching.find('two', { query: 'qx', offset: 0, limit: 50 }, signal);
  assert.deepEqual([short.total, hasEnded], [0, false]);
  answered.resolve();
  assert.equal((await long).total, 0);
  assert.ok(counted.statements > 60);
});

test('a search ends with the slice during which its user has left', async (t) => {
  const { search, counted } = await openSliced(t, { '/': 3000 });
  const left = new AbortController();
  const found = search.candidates(everything, parseQuery('qx'), { limit: 50, cost: 1e6, signal: left.signal });
  left.abort();
  await assert.rejects(found, { name: 'AbortError' });
  assert.ok(counted.statements <= 3, `${counted.statements} statements`);
});

test('the answer says that only a part was looked through, and gives no count of what is there', async () => {
  const searching = createSearch({
    store: {
      isIndexed: async () => true,
      candidates: async ({ linkId }) => ({
        found: [{ entry: { name: `${linkId} qx`, kind: 'file' }, folder: '/' }],
        cost: 1e6,
        isPartial: linkId === 'large',
      }),
      knowledge: async () => ({ known: 1, total: 1, oldest: 1 }),
    },
    reachable: async () => ['large', 'small'].map((linkId) => ({ userLinkId: linkId, name: linkId, folders: [{ linkId, path: '/' }] })),
    now: Date.now,
  });
  const { items, total, isPartial, links } = await searching.find('one', { query: 'qx', offset: 0, limit: 50 }, signal);
  assert.deepEqual([items.length, total, isPartial], [2, undefined, true]);
  assert.deepEqual(
    links.map((link) => [link.userLinkId, link.found, link.isPartial]),
    [
      ['large', undefined, true],
      ['small', 1, undefined],
    ],
  );
});
