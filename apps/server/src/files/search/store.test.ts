import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import type { Entry } from '@sheaf/connectors';
import { foldName } from '@sheaf/contract';
import { sql } from 'kysely';
import type { ReadableFolder } from '#/files/listings/rows/readable.ts';
import { createListingStore } from '#/files/listings/rows/store.ts';
import { listingDatabase } from '#/testing/content.ts';
import { dropGone } from './gone-store.ts';
import { parseQuery } from './parse-query.ts';
import { createSearchStore } from './store.ts';

async function openSearch(t: TestContext) {
  const database = await listingDatabase(t, 'Link1');
  const listings = createListingStore(database);
  const search = createSearchStore(database);
  let time = 0;
  return {
    database,
    search,
    listings,
    async list(path: string, entries: readonly Entry[]): Promise<number> {
      const { id } = await listings.openFolder('Link1', path);
      const at = ++time;
      const named = new Map(entries.map((entry) => [entry.name, entry]));
      await listings.replace(id, { entries: named, fingerprint: `f${at}`, version: `v${at}`, begunAt: at, listedAt: at });
      return id;
    },
    async names(query: string, searched: ReadableFolder = everything): Promise<string[]> {
      const { found, isPartial } = await search.candidates(searched, parseQuery(query), bounds);
      assert.equal(isPartial, false);
      return found.map(({ entry }) => entry.name).sort();
    },
  };
}

const bounds = { limit: 100_000, cost: 1_000_000, signal: new AbortController().signal };
const everything: ReadableFolder = { linkId: 'Link1', path: '/' };
const file = (name: string, size = 1, modified = 1_700_000_000): Entry => ({ name, kind: 'file', size, modified });
const folder = (name: string): Entry => ({ name, kind: 'folder' });
const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A repeatable source of numbers from 0 to below 1: https://en.wikipedia.org/wiki/Linear_congruential_generator */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

const pieces = [
  'Invoice', 'invoice', 'IMG_', 'Årsredovisning', 'Übung', 'été', 'e\u0301te\u0301', '写真', '東京', '東', '旅行', '한국어', 'İstanbul', 'ß', '100%', 'a_b', "it's",
  '"quoted"', ' AND ', ' OR ', 'NOT', 'NEAR(', '*', '^', '\\', ':', 'name:', '-', '--', '(', ')', '{', '.', ' ', '2026', '0001', '\u{10FE80}', '\u{10FEFF}', '😀', '\n', 'x',
]; // prettier-ignore

test('1,000 seeded queries find exactly the names that grep finds', async (t) => {
  const random = createRandom(15);
  const { list, names } = await openSearch(t);
  const pick = () => pieces[Math.floor(random() * pieces.length)] ?? '';
  const made = new Set<string>();
  while (made.size < 3000) made.add(Array.from({ length: 1 + Math.floor(random() * 5) }, pick).join(''));
  const all = [...made];
  for (let at = 0; at < 3; at++)
    await list(
      `/${at}`,
      all.slice(at * 1000, at * 1000 + 1000).map((name) => file(name)),
    );
  const folded = new Map(all.map((name) => [name, foldName(name)]));
  const listing = [...folded.values()].join('\0');
  for (let count = 0; count < 1000;) {
    const name = [...(all[Math.floor(random() * all.length)] ?? '')];
    const from = Math.floor(random() * name.length);
    const text = name.slice(from, from + 1 + Math.floor(random() * 6)).join('');
    const query = random() < 0.5 ? text : text.toUpperCase();
    const part = foldName(query);
    // grep reads a line feed as "or", and finds everything for nothing.
    if (part === '' || part.includes('\n')) continue;
    const expected = count++ % 20 === 0 ? grep(part, listing) : undefined;
    const matching = all.filter((each) => folded.get(each)?.includes(part));
    const foldedMatching = matching.map((each) => foldName(each)).sort();
    if (expected) assert.deepEqual(foldedMatching, expected, JSON.stringify(query));
    assert.deepEqual(await names(phrase(query)), matching.sort(), JSON.stringify(query));
  }
});

/** The records of a listing, separated by NUL, that contain the text without regard to case. */
function grep(text: string, listing: string): string[] {
  try {
    const found = execFileSync('grep', ['-ziF', '-e', text], {
      input: listing,
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      maxBuffer: 1e8,
    });
    return found.toString().split('\0').slice(0, -1).sort();
  } catch (error) {
    // Status 1: nothing was found.
    if (error instanceof Error && 'status' in error && error.status === 1) return [];
    throw error;
  }
}

test('words are found in any order, each in the name or the path', async (t) => {
  const { list, names } = await openSearch(t);
  await list('/Reisen/Gotland in Juni', [file('drone.mp4'), file('Ferry Visby.pdf'), folder('Visby')]);
  await list('/Other', [file('Ferry Visby.pdf'), file('gotland.txt')]);
  assert.deepEqual(await names('visby gotland'), ['Ferry Visby.pdf', 'Visby']);
  assert.deepEqual(await names('GOTLAND juni drone'), ['drone.mp4']);
  assert.deepEqual(await names('ferry in:gotland'), ['Ferry Visby.pdf']);
  assert.deepEqual(await names('visby xyz'), []);
});

test('filters narrow by type, size and date', async (t) => {
  const { list, names } = await openSearch(t);
  const march = Date.UTC(2026, 2, 15) / 1000;
  await list('/', [
    file('a photo.JPG', 20_000_000, march),
    file('b photo.png', 100, 0),
    file('photo.pdf', 5, march),
    folder('photo folder'),
  ]);
  assert.deepEqual(await names('photo type:image'), ['a photo.JPG', 'b photo.png']);
  assert.deepEqual(await names('photo type:folder'), ['photo folder']);
  assert.deepEqual(await names('photo type:pdf'), ['photo.pdf']);
  assert.deepEqual(await names('photo >10mb'), ['a photo.JPG']);
  assert.deepEqual(await names('photo <1kb'), ['b photo.png', 'photo.pdf']);
  assert.deepEqual(await names('photo date:2026-03'), ['a photo.JPG', 'photo.pdf']);
  assert.deepEqual(await names('photo date:2025'), []);
  assert.deepEqual(await names('type:image'), ['a photo.JPG', 'b photo.png']);
});

test('the index follows every change of the listings', async (t) => {
  const { database, list, listings, names } = await openSearch(t);
  const id = await list('/', [file('first.txt'), file('second.txt')]);
  await list('/', [file('second.txt', 7), file('third.txt')]);
  assert.deepEqual(await names('.txt'), ['second.txt', 'third.txt']);
  await listings.change(id, [{ put: file('renamed.txt'), gone: 'third.txt' }], 10);
  assert.deepEqual(await names('.txt'), ['renamed.txt', 'second.txt']);
  await list('/Below', [file('deep.txt')]);
  await listings.detach('Link1', '/Below');
  assert.deepEqual(await names('deep'), [], 'found in a forgotten folder');
  await database.db.deleteFrom('link').where('id', '=', 'Link1').execute();
  assert.deepEqual(await names('.txt'), []);
  await listings.sweep(AbortSignal.timeout(60_000));
  await dropGone(database, AbortSignal.timeout(60_000));
  if (database.engine === 'sqlite') {
    const { rows } = await sql`select rowid from listing_search where listing_search match '"txt"'`.execute(database.db);
    assert.deepEqual(rows, [], 'entries of the index outlive their rows');
  }
});

test('nothing outside the folder and link of the rights is found, nor in encrypted folders', async (t) => {
  const { database, list, names } = await openSearch(t);
  await list('/', [folder('space_1'), folder('spaceX1')]);
  await list('/space_1', [file('report.txt')]);
  await list('/space_1/deep', [file('report deep.txt')]);
  await list('/spaceX1', [file('report other.txt')]);
  await list('/space_1 2', [file('report beside.txt')]);
  await list('/Vault', [file('report sealed.txt')]);
  await database.db
    .insertInto('encryption_folder')
    .values({ id: 'v', accountId: 'user1', name: 'Vault', linkId: 'Link1', path: '/Vault', createdAt: 0 })
    .execute();
  assert.deepEqual(await names('report', { linkId: 'Link1', path: '/space_1' }), ['report deep.txt', 'report.txt']);
  assert.deepEqual(await names('report', { linkId: 'Link2', path: '/' }), []);
  assert.equal((await names('report')).includes('report sealed.txt'), false);
});

test('what is known of a link is counted from its listings', async (t) => {
  const { list, search } = await openSearch(t);
  assert.deepEqual(await search.knowledge(everything), { known: 0, total: 1, oldest: undefined });
  await list('/b', []);
  assert.deepEqual(await search.knowledge(everything), { known: 1, total: 2, oldest: 1 }, 'the folder itself is not known');
  await list('/', [folder('a'), folder('b'), file('c')]);
  await list('/a', [folder('d')]);
  assert.deepEqual(await search.knowledge(everything), { known: 3, total: 4, oldest: 1 });
});

test('of a query of very many words the longest count', () => {
  const query = parseQuery(`${'abcdefghijklmnopqrstuvwxyz'.split('').join(' ')} gotland in:x visby juni`);
  assert.deepEqual(query.words.length, 10);
  assert.deepEqual(query.words.slice(-3), ['gotland', 'visby', 'juni']);
});

test('a word with an extension finds the names with exactly that extension', async (t) => {
  const { list, names } = await openSearch(t);
  const all = [
    'holiday-report.pdf',
    'holiday-report.png',
    'holiday-report.p',
    'Holiday-Report.PDF.bak',
    'holiday-report-pdf',
    'a holiday-report.pdfx',
  ];
  await list(
    '/',
    all.map((name) => file(name)),
  );
  assert.deepEqual(await names('holiday-report.pdf'), ['Holiday-Report.PDF.bak', 'a holiday-report.pdfx', 'holiday-report.pdf']);
  assert.deepEqual(await names('report.png'), ['holiday-report.png']);
  assert.deepEqual(await names('holiday-report.p').then((found) => found.length), 5);
});
