import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Entry } from '@sheaf/connectors';
import { sql } from 'kysely';
import { createListingStore } from '#/files/listings/rows/store.ts';
import { listingDatabase } from '#/testing/content.ts';
import { dropGone } from './gone-store.ts';
import { parseQuery } from './parse-query.ts';
import { createSearchStore } from './store.ts';

const everything = { linkId: 'Link1', path: '/' };
/** So little at once that some thousand entries take many steps. */
const few = { together: 100, betweenMerges: 700, atOnce: 50, pages: 1 };
const bounds = { limit: 10_000, cost: 100_000, signal: AbortSignal.timeout(60_000) };
const namesOf = (folder: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${folder} picture ${at}.jpg`);

/** A link on SQLite with its listings and their search. */
async function setup(t: TestContext) {
  const database = await listingDatabase(t, 'Link1', { on: 'sqlite' });
  const listings = createListingStore(database);
  const search = createSearchStore(database);
  const only = async (statement: string): Promise<number> => {
    const { rows } = await sql<{ count: number }>`${sql.raw(statement)}`.execute(database.db);
    return rows[0]?.count ?? 0;
  };
  return {
    database,
    listings,
    async list(path: string, names: readonly string[]): Promise<number> {
      const { id } = await listings.openFolder('Link1', path);
      const entries = new Map(names.map((name): [string, Entry] => [name, { name, kind: 'file' }]));
      await listings.replace(id, { entries, fingerprint: path, version: 'v', begunAt: 1, listedAt: 1 });
      return id;
    },
    found: async (query: string): Promise<number> => (await search.candidates(everything, parseQuery(query), bounds)).found.length,
    /** Ids that stand in the index. */
    indexed: () => only('select count(*) as count from listing_search'),
    waiting: () => only('select count(*) as count from search_gone'),
    pages: () => only('select count(*) as count from listing_search_data'),
    unmerged: () => only('select unmerged as count from search_index where id = 1'),
    drop: (amounts?: typeof few) => dropGone(database, AbortSignal.timeout(60_000), amounts),
  };
}

test('deleted entries are found no more, and a job takes them out of the index, which gets smaller', async (t) => {
  const { list, listings, found, indexed, waiting, pages, unmerged, drop } = await setup(t);
  await list('/kept', namesOf('kept', 500));
  await list('/left', namesOf('left', 3000));
  const full = await pages();
  await listings.detach('Link1', '/left');
  await listings.sweep(AbortSignal.timeout(60_000));
  assert.deepEqual([await found('picture'), await found('left'), await indexed(), await waiting()], [500, 0, 3500, 3000]);

  await drop(few);
  assert.deepEqual([await found('picture'), await found('kept'), await indexed(), await waiting()], [500, 500, 500, 0]);
  assert.ok((await pages()) < full / 3, `${await pages()} of ${full} pages`);
  // The last of them are too few to merge the index for.
  assert.ok((await unmerged()) < few.together, `${await unmerged()}`);
});

test('an entry that is new while deleted ones wait is found, and stays in the index', async (t) => {
  const { list, found, indexed, drop } = await setup(t);
  await list('/album', namesOf('old', 5));
  await list('/album', namesOf('new', 3));
  assert.deepEqual([await found('old'), await found('new'), await indexed()], [0, 3, 8]);
  await drop();
  assert.deepEqual([await found('picture'), await found('new'), await indexed()], [3, 3, 3]);
  await list('/album', [...namesOf('new', 3), ...namesOf('newer', 3)]);
  assert.equal(await found('picture'), 6);
});

test('a job that was aborted is gone on with, wherever it was', async (t) => {
  const { database, list, found, indexed, waiting, unmerged, drop } = await setup(t);
  await list('/album', namesOf('old', 3000));
  await list('/album', namesOf('new', 10));
  for (let writes = 1, isOver = false; !isOver; writes += 9) {
    const stop = new AbortController();
    let left = writes;
    const background: typeof database.background = {
      ...database.background,
      async write(queries) {
        const outcomes = await database.background.write(queries);
        if (--left === 0) stop.abort();
        return outcomes;
      },
    };
    isOver = await dropGone({ ...database, background }, stop.signal, few).then(
      () => true,
      (error: unknown) => {
        assert.equal(error, stop.signal.reason);
        return false;
      },
    );
    assert.equal(await found('picture'), 10);
  }
  assert.deepEqual([await indexed(), await waiting()], [10, 0]);
  await drop(few);
  assert.ok((await unmerged()) < few.together);
});
