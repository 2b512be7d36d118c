import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Entry } from '@sheaf/connectors';
import fc from 'fast-check';
import { sql } from 'kysely';
import { listingDatabase } from '#/testing/content.ts';
import type { CompleteListing } from './replace-rows.ts';
import { createSpools } from './spool.ts';
import { createListingStore } from './store.ts';
import { type View, rowOf, selectRows } from './view.ts';

const everyView = (['name', 'modified', 'size', 'type'] as const).flatMap((sort) =>
  (['asc', 'desc'] as const).flatMap((order) =>
    ['', 'e', '%', '_', 'é'].map((filter): View => ({ sort, order, filter: filter === 'é' ? 'e' : filter })),
  ),
);

/** How a listing gets into the store: from memory, or through a spool. */
const ways = ['from memory', 'spooled'] as const;
type Way = (typeof ways)[number];

async function openStore(t: TestContext, way: Way = 'from memory', options?: { on: 'sqlite' }) {
  const spools = createSpools();
  const database = await listingDatabase(t, 'Link1', { ...options, usedBy: spools });
  const store = createListingStore(database);
  const put = async (folderId: number, entries: readonly Entry[], facts: Omit<CompleteListing, 'entries'>): Promise<void> => {
    if (way === 'from memory') {
      await store.replace(folderId, { ...facts, entries: new Map(entries.map((entry) => [entry.name, entry])) });
      return;
    }
    const spool = spools.open();
    for (let from = 0; from < entries.length; from += 700) await spool.put(entries.slice(from, from + 700));
    await store.merge(folderId, { ...facts, spool });
    spool.close();
  };
  let time = 1;
  return {
    store,
    database,
    put,
    /** Stores a listing of the folder and returns its row. */
    async list(path: string, entries: readonly Entry[], begunAt = ++time) {
      const { id } = await store.openFolder('Link1', path);
      await put(id, entries, { fingerprint: `f${begunAt}`, version: `v${begunAt}`, begunAt, listedAt: begunAt });
      const folder = await store.findFolder('Link1', path);
      assert.ok(folder);
      return folder;
    },
  };
}

const all = { offset: 0, limit: 10_000 };
const byName: View = { sort: 'name', order: 'asc', filter: '' };
const file = (name: string, size = 1): Entry => ({ name, kind: 'file', size, modified: 1_700_000_000 });

test('the store returns every view exactly as memory does, in any slices [BRW-30]', async (t) => {
  const { store, list } = await openStore(t);
  const names = ['b', 'A', 'a10', 'a2', 'É', 'e.txt', 'E.TXT', '100%', 'a_b', "it's", '漢字', '\\', 'z.tar.gz', '.hidden', ' x ', '"q"'];
  const entries = names.flatMap((name, at): Entry[] => [
    { name, kind: 'file', size: (at * 7) % 5, ...(at % 3 > 0 && { modified: at % 4 }), etag: `"${at}"` },
    { name: `${name} folder`, kind: 'folder', ...(at % 2 > 0 && { modified: at }) },
  ]);
  const folder = await list('/', entries);
  for (const view of everyView) {
    const expected = selectRows(entries.map(rowOf), view, all);
    assert.equal(await store.count(folder, view), expected.length);
    assert.deepEqual(await store.page(folder, view, all), expected, JSON.stringify(view));
    const pages: Entry[] = [];
    for (let offset = 0; offset < expected.length; offset += 5) pages.push(...(await store.page(folder, view, { offset, limit: 5 })));
    assert.deepEqual(pages, expected, JSON.stringify(view));
  }
});

for (const way of ways) {
  test(`after any sequence of listings, the rows are those of the last one, ${way}`, async (t) => {
    const { store, list } = await openStore(t, way);
    const entry = fc.record({ name: fc.stringMatching(/^[a-c0-2É]{1,2}$/), kind: fc.constantFrom('file', 'folder'), size: fc.nat(2) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uniqueArray(entry, { selector: ({ name }) => name }), { minLength: 1, maxLength: 4 }),
        async (listings) => {
          for (const listing of listings) {
            const entries = listing.map(({ name, kind, size }): Entry =>
              kind === 'file' ? { name, kind, size } : { name, kind: 'folder' },
            );
            const folder = await list('/', entries);
            assert.deepEqual(await store.page(folder, byName, all), selectRows(entries.map(rowOf), byName, all));
            assert.equal(folder.folderCount + folder.fileCount, entries.length);
          }
        },
      ),
      { numRuns: 20 },
    );
  });
}

for (const way of ways) {
  test(`a large folder is written in slices and read by page, ${way} [BRW-03]`, async (t) => {
    const { store, list, database } = await openStore(t, way);
    const entries = Array.from({ length: 2500 }, (_, at) => file(`file ${at}`));
    const folder = await list('/', entries);
    assert.equal(folder.fileCount, 2500);
    const page = await store.page(folder, byName, { offset: 2000, limit: 25 });
    assert.deepEqual([page[0]?.name, page.at(-1)?.name], ['file 2000', 'file 2024']);
    const shrunk = await list(
      '/',
      entries.filter((_, at) => at % 2 === 0).map((entry) => (entry.name === 'file 8' ? { ...entry, size: 9 } : entry)),
    );
    assert.equal(shrunk.fileCount, 1250);
    assert.equal((await store.entry(folder.id, 'file 8'))?.size, 9);
    assert.equal(await store.entry(folder.id, 'file 7'), undefined);
    assert.equal((await database.db.selectFrom('listing_entry').select('name').execute()).length, 1250);
  });
}

test('the first page of a stored folder is read along the rows, without sorting them', async (t) => {
  const { database, list } = await openStore(t, 'spooled', { on: 'sqlite' });
  await list('/', [file('a'), file('b')]);
  const statements: string[] = [];
  const { sqlite } = database;
  assert.ok(sqlite);
  const watched = createListingStore({
    ...database,
    sqlite: new Proxy(sqlite, {
      get: (target, property) =>
        property === 'prepare' ? (text: string) => (statements.push(text), target.prepare(text)) : Reflect.get(target, property),
    }),
  });
  const folder = await watched.findFolder('Link1', '/');
  assert.ok(folder);
  for (const order of ['asc', 'desc'] as const) await watched.page(folder, { ...byName, order }, { offset: 0, limit: 25 });
  assert.equal(statements.length, 3);
  for (const text of statements) {
    const plan = sqlite.prepare(`explain query plan ${text}`).all(...Array.from({ length: text.split('?').length - 1 }, () => 1));
    const details = plan.map(({ detail }) => String(detail)).join('; ');
    assert.match(details, /SEARCH .* USING/);
    assert.doesNotMatch(details, /TEMP B-TREE|SCAN/);
  }
});

for (const way of ways) {
  test(`a change counts, shows, and survives a listing begun before it, ${way}`, async (t) => {
    const { store, list } = await openStore(t, way);
    const folder = await list('/', [file('a'), file('b')], 10);
    await store.change(folder.id, [{ gone: 'a', put: { name: 'c', kind: 'folder' } }], 20);
    await store.change(folder.id, [{ put: { ...file('b'), size: 7 } }], 20);
    const changed = await store.findFolder('Link1', '/');
    assert.deepEqual([changed?.folderCount, changed?.fileCount, changed?.fingerprint], [1, 1, null]);
    assert.notEqual(changed?.version, folder.version);

    const begunBefore = await list('/', [file('a'), file('b')], 15);
    assert.deepEqual(
      (await store.page(begunBefore, byName, all)).map(({ name, size }) => [name, size]),
      [
        ['c', undefined],
        ['b', 7],
      ],
    );
    const begunAfter = await list('/', [file('a')], 30);
    assert.deepEqual(
      (await store.page(begunAfter, byName, all)).map(({ name }) => name),
      ['a'],
    );
  });
}

test('a file that becomes a folder is one row', async (t) => {
  const { store, list } = await openStore(t);
  const folder = await list('/', [file('a')]);
  await store.change(folder.id, [{ put: { name: 'a', kind: 'folder' } }], 5);
  const changed = await store.findFolder('Link1', '/');
  assert.deepEqual([changed?.folderCount, changed?.fileCount], [1, 0]);
});

test('forgetting a folder keeps its neighbours, and sweeping removes every row of it', async (t) => {
  const { store, list, database } = await openStore(t);
  for (const path of ['/', '/a', '/a/b', '/ab', '/a%', '/é', '/é/x']) await list(path, [file('x')]);
  await store.detach('Link1', '/a');
  await store.detach('Link1', '/é');
  const left = async () =>
    Promise.all(['/', '/a', '/a/b', '/ab', '/a%', '/é', '/é/x'].map(async (path) => (await store.findFolder('Link1', path)) !== undefined));
  assert.deepEqual(await left(), [true, false, false, true, true, false, false]);
  await store.sweep(new AbortController().signal);
  assert.equal((await database.db.selectFrom('listing_entry').select('name').execute()).length, 3);
  await list('/a', []);
  assert.deepEqual(await left(), [true, true, false, true, true, false, false]);
});

for (const table of ['link', 'account'] as const)
  test(`on SQLite deleting a ${table} deletes no rows of listings, which would block everybody; sweeping deletes them`, async (t) => {
    const { store, list, database } = await openStore(t, 'from memory', { on: 'sqlite' });
    const { db } = database;
    for (const path of ['/', '/a', '/a/b']) await list(path, [file('x'), file('y')]);
    const rows = async () => (await db.selectFrom('listing_entry').select('name').execute()).length;
    await db.deleteFrom(table).execute();
    assert.equal(await rows(), 6);
    assert.equal(await store.findFolder('Link1', '/a'), undefined);
    await store.sweep(AbortSignal.abort());
    assert.equal(await rows(), 6);
    await store.sweep(AbortSignal.timeout(60_000));
    assert.equal(await rows(), 0);
    const indexed = await sql`select rowid from listing_search where listing_search match '"x" or "y"'`.execute(db);
    assert.deepEqual(indexed.rows, []);
    for (const left of ['listing_folder', 'link'] as const) assert.deepEqual(await db.selectFrom(left).select('id').execute(), []);
    assert.equal(await db.selectFrom('account').select('id').where('id', '=', 'gone').executeTakeFirst(), undefined);
  });

for (const way of ways) {
  test(`a listing that ends after its folder was forgotten writes nothing, ${way}`, async (t) => {
    const { store, list, put, database } = await openStore(t, way);
    const folder = await list('/a', [file('x')]);
    await store.detach('Link1', '/a');
    await store.sweep(new AbortController().signal);
    await put(folder.id, [file('y')], { fingerprint: 'f', version: 'v', begunAt: 9, listedAt: 9 });
    assert.deepEqual(await database.db.selectFrom('listing_entry').select('name').execute(), []);
  });
}

test('a path too long for an index has a listing like any other', async (t) => {
  const { store, list } = await openStore(t);
  const path = `/${'x'.repeat(250)}`.repeat(12);
  await list(path, [file('a')]);
  await list(`${path}y`, [file('b')]);
  const folder = await store.findFolder('Link1', path);
  assert.ok(folder);
  assert.deepEqual(
    (await store.page(folder, byName, all)).map(({ name }) => name),
    ['a'],
  );
});

test('of rows that occur twice in a spooled listing, the last one counts, once', async (t) => {
  const { store, list } = await openStore(t, 'spooled');
  const once = Array.from({ length: 900 }, (_, at) => file(`file ${at}`));
  const again = once.map((entry) => ({ ...entry, size: 2 }));
  const folder = await list('/', [...once, ...again, ...again]);
  assert.equal(folder.fileCount, 900);
  const page = await store.page(folder, byName, all);
  assert.deepEqual([page.length, page.every(({ size }) => size === 2)], [900, true]);
});

test('a spooled listing without changes keeps the version; one with changes raises it', async (t) => {
  const { list } = await openStore(t, 'spooled');
  const entries = Array.from({ length: 1000 }, (_, at) => file(`file ${at}`));
  const { version } = await list('/', entries);
  assert.equal((await list('/', entries.toReversed())).version, version);
  for (const changed of [entries.slice(1), entries.slice(0, -500), [...entries, file('more')], [file('file 0', 2), ...entries.slice(1)]])
    assert.notEqual((await list('/', changed)).version, (await list('/', entries)).version);
});

for (const way of ways) {
  test(`names of every kind are stored and read back unchanged, ${way}`, async (t) => {
    const { store, list } = await openStore(t, way);
    const names = [
      'a b',
      '#',
      '100%',
      'a&b+c',
      `"'`,
      '🙂',
      '漢字',
      '\u00e9',
      'e\u0301',
      '.hidden',
      'trailing ',
      '\\',
      'x'.repeat(255),
      '\u0001',
      '[1]',
      'null',
    ];
    const folder = await list(
      '/',
      names.map((name) => file(name)),
    );
    assert.deepEqual(new Set((await store.page(folder, byName, all)).map(({ name }) => name)), new Set(names));
    for (const name of names) assert.equal((await store.entry(folder.id, name))?.name, name);
  });
}

test('a large folder is sorted without blocking anything, and its pages equal those from memory [BRW-30]', async (t) => {
  const { list, database } = await openStore(t, 'spooled', { on: 'sqlite' });
  const entries = Array.from({ length: 12_000 }, (_, at) => file(`file ${at}`, (at * 7919) % 12_000));
  const folder = await list('/', entries);
  const read = t.mock.method(database.aside ?? assert.fail('SQLite reads long queries aside'), 'read');
  const store = createListingStore(database);
  const rows = entries.map(rowOf);
  const slice = { offset: 6000, limit: 25 };
  for (const view of [byName, { ...byName, order: 'desc' }, { ...byName, sort: 'size' }, { ...byName, filter: '99' }] as const) {
    assert.deepEqual(await store.page(folder, view, slice), selectRows(rows, view, slice), JSON.stringify(view));
    assert.equal(await store.count(folder, view), selectRows(rows, view, { offset: 0, limit: 20_000 }).length, JSON.stringify(view));
  }
  assert.ok(read.mock.callCount() > 0);
});
