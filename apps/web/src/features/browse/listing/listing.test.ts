import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FirstPage, Item, Page } from '@sheaf/contract';
import { type ListingSource, createListing } from './listing.ts';

const item = (index: number): Item => ({ name: `n${index}`, disambiguatedName: `n${index}`, linkUri: `/l/n${index}`, fileType: 'FILE' });
const items = (from: number, count: number): Item[] => Array.from({ length: count }, (_, index) => item(from + index));

/** A folder of `total` rows that counts requests; `pages` are the answers to later requests for the first rows. */
function folder(total: number, later: readonly Partial<FirstPage>[] = []) {
  const calls: string[] = [];
  let looks = 0;
  const first = (): FirstPage => ({
    items: items(0, Math.min(25, total)),
    total,
    hasMore: total > 25,
    stale: later.length > 0,
    version: '1',
    can: ['list', 'read'],
    hasBin: false,
  });
  const source: ListingSource = {
    first(asking) {
      calls.push(asking === 'known' ? 'look' : 'refresh');
      const answer = looks === 0 ? first() : { ...first(), ...later[looks - 1] };
      looks += 1;
      return Promise.resolve(answer);
    },
    more(offset, limit) {
      calls.push(`more ${offset} ${limit}`);
      const page: Page = { items: items(offset, Math.min(limit, total - offset)), total, hasMore: offset + limit < total };
      return Promise.resolve(page);
    },
  };
  return { source, calls };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const noPause = (): Promise<void> => Promise.resolve();
const fail = (error: unknown): never => {
  throw error;
};

test('a folder loads its first 25 rows and no more on its own [BRW-03]', async () => {
  const { source, calls } = folder(100);
  const listing = createListing(source, fail);
  listing.open();
  await settled();
  assert.deepEqual(calls, ['refresh']);
  assert.equal(listing.state().count, 100);
  assert.equal(listing.rowAt(24)?.name, 'n24');
  assert.equal(listing.rowAt(25), undefined);
});

test('a folder that is begun before it is shown asks once, and stops when it is never shown', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const shown = folder(100);
  const listing = createListing(shown.source, fail);
  listing.begin();
  listing.begin();
  listing.open();
  await settled();
  assert.deepEqual([shown.calls, listing.state().count], [['refresh'], 100]);
  t.mock.timers.tick(10_000);
  listing.changed();
  await settled();
  assert.deepEqual(shown.calls, ['refresh', 'look']);

  const left = folder(3, [...Array.from({ length: 9 }, () => ({ stale: true })), { stale: false }]);
  const unseen = createListing(left.source, fail, async (milliseconds) => t.mock.timers.tick(milliseconds));
  unseen.begin();
  await settled();
  assert.equal(left.calls.length, 10);
  unseen.open();
  await settled();
  assert.equal(left.calls.at(-1), 'refresh');
});

test('a listing is polled while its storage is being read, until it is fresh', async () => {
  const { source, calls } = folder(3, [{ stale: true }, { stale: false, version: '2', items: items(1, 3) }]);
  const listing = createListing(source, fail, noPause);
  listing.open();
  await settled();
  assert.deepEqual(calls, ['refresh', 'look', 'look']);
  assert.equal(listing.state().stale, false);
  assert.equal(listing.rowAt(0)?.name, 'n1');
});

test('a row that a later listing tells of unchanged stays the same object, so that it is not drawn again', async () => {
  const renamed = { ...item(1), name: 'renamed' };
  const { source } = folder(3, [{ stale: false, version: '2', items: [item(0), renamed, item(2)] }]);
  const listing = createListing(source, fail, noPause);
  listing.open();
  await Promise.resolve();
  await Promise.resolve();
  const [before, can] = [[0, 1, 2].map(listing.rowAt), listing.state().can];
  assert.equal(before[1]?.name, 'n1');
  await settled();
  assert.deepEqual([listing.rowAt(0) === before[0], listing.rowAt(1)?.name, listing.rowAt(2) === before[2]], [true, 'renamed', true]);
  assert.equal(listing.state().can, can);
});

test('rows that the storage added since the folder was opened are new, the others are not', async () => {
  const { source } = folder(3, [{ stale: false, version: '2', items: [...items(0, 3), item(9)], total: 4 }]);
  const listing = createListing(source, fail, noPause);
  listing.open();
  await settled();
  assert.deepEqual(
    [0, 1, 2, 9].map((index) => listing.isNew(`/l/n${index}`)),
    [false, false, false, true],
  );
});

test('rows of the previous listing stay until those of the next have arrived', async () => {
  const { source, calls } = folder(40, [{ stale: false, version: '2' }]);
  const listing = createListing(source, fail, noPause);
  listing.look({ first: 20, last: 39, scrolled: 20 });
  listing.open();
  await settled();
  assert.ok(calls.filter((call) => call === 'more 25 25').length === 2, calls.join());
  assert.equal(listing.rowAt(39)?.name, 'n39');
});

test('a removed row returns when the change is not confirmed', async () => {
  const { source } = folder(3);
  const listing = createListing(source, fail);
  listing.open();
  await settled();
  listing.removeRows(new Set(['/l/n1']));
  assert.deepEqual([listing.state().count, listing.rowAt(1)?.name], [2, 'n2']);
  listing.reload();
  await settled();
  assert.deepEqual([listing.state().count, listing.rowAt(1)?.name], [3, 'n1']);
});

test('a folder that cannot be listed says why, and can be retried', async () => {
  const { source } = folder(3);
  let failing = true;
  const listing = createListing(
    { ...source, first: (...args) => (failing ? Promise.reject(new Error('away')) : source.first(...args)) },
    () => undefined,
  );
  listing.open();
  await settled();
  assert.equal(listing.state().status, 'failed');
  failing = false;
  listing.refresh();
  await settled();
  assert.deepEqual([listing.state().status, listing.state().count], ['ready', 3]);
});

test('rows stay in place while the user edits one, and move again afterwards', async () => {
  const { source } = folder(3, [
    { stale: false, version: '2', items: items(5, 3) },
    { stale: false, version: '2', items: items(5, 3) },
  ]);
  const resume = Promise.withResolvers<void>();
  let looks = 0;
  const listing = createListing(source, fail, () => ((looks += 1) === 1 ? resume.promise : new Promise(() => undefined)));
  listing.open();
  await settled();
  const release = listing.hold();
  const releaseOther = listing.hold();
  listing.insertFirst(item(9));
  resume.resolve();
  await settled();
  assert.deepEqual([listing.rowAt(0)?.name, listing.rowAt(1)?.name], ['n9', 'n0']);
  for (const whatElse of [listing.reload, listing.resume, releaseOther]) {
    whatElse();
    await settled();
    assert.equal(listing.rowAt(0)?.name, 'n9');
  }
  release();
  await settled();
  assert.deepEqual([listing.rowAt(0)?.name, listing.state().count], ['n5', 3]);
});

test('during a rename the listing is polled, and loaded again when it has ended', async () => {
  const renames = [{ name: 'album', newName: 'holiday' }];
  const { source, calls } = folder(3, [
    { stale: false, renames },
    { stale: false, renames },
    { stale: false, version: '2' },
    { stale: false, version: '3', items: items(1, 3) },
  ]);
  const shown: number[] = [];
  const listing = createListing(source, fail, async () => void shown.push(listing.state().renames.length));
  listing.open();
  await settled();
  assert.deepEqual(calls, ['refresh', 'look', 'look', 'look', 'refresh']);
  assert.deepEqual(shown, [0, 1, 1]);
  assert.equal(listing.rowAt(0)?.name, 'n1');
  assert.deepEqual(listing.state().renames, []);
});
