import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Entry } from '@sheaf/connectors';
import { beginListing } from './live-listing.ts';
import type { View } from './rows/view.ts';

const byName: View = { sort: 'name', order: 'asc', filter: '' };
const file = (name: string, size = 1): Entry => ({ name, kind: 'file', size });

/** A listing whose batches the test releases. */
function listingOf(batches: readonly (readonly Entry[])[]) {
  const gate = Promise.withResolvers<void>();
  const connector = {
    async *list() {
      for (const batch of batches) {
        yield batch;
        await gate.promise;
      }
    },
  };
  const listing = beginListing({
    connector,
    path: '/',
    begunAt: 0,
    isWanted: () => true,
    take: () => undefined,
    openSpool: () => assert.fail('so few rows'),
  });
  const shown = (view = byName, slice = { offset: 0, limit: 1000 }) =>
    listing.select(view, slice).entries.map(({ name, size }) => `${name} ${size}`);
  return { listing, goOn: gate.resolve, shown };
}

test('an item listed twice, as when a folder changes while it is paged, is one row, the later one', async () => {
  const { listing, goOn, shown } = listingOf([
    [file('b', 1), file('a', 1)],
    [file('b', 2), file('c', 1)],
  ]);
  goOn();
  await listing.complete;
  assert.deepEqual(shown(), ['a 1', 'b 2', 'c 1']);
  assert.equal(listing.select(byName, { offset: 0, limit: 1 }).total, 3);
  assert.deepEqual(shown({ ...byName, order: 'desc' }), ['c 1', 'b 2', 'a 1']);
});

test('names in any number and order are sliced as if all had been sorted at once', async () => {
  const entries = Array.from({ length: 5000 }, (_, at) => file(`f${(at * 7919) % 5000}`, at % 3));
  const { listing, goOn, shown } = listingOf([entries.slice(0, 3000), entries.slice(3000)]);
  await listing.many;
  assert.deepEqual(shown(byName, { offset: 0, limit: 2 }).length, 2);
  assert.equal(listing.select(byName, { offset: 0, limit: 2 }).total, undefined);
  goOn();
  await listing.complete;
  assert.deepEqual(
    listing.select(byName, { offset: 4998, limit: 10 }).entries.map(({ name }) => name),
    ['f4998', 'f4999'],
  );
});

test('a change made by Sheaf during a listing stays, whether or not the source has reported it', async () => {
  const { listing, goOn, shown } = listingOf([[file('gone'), file('put', 1)], [file('late', 1)]]);
  await listing.begun;
  listing.note('gone', undefined);
  listing.note('put', file('put', 7));
  listing.note('late', file('late', 7));
  listing.note('new', file('new', 7));
  goOn();
  await listing.complete;
  assert.deepEqual(shown(), ['late 7', 'new 7', 'put 7']);
  assert.equal(listing.size(), 3);
  assert.deepEqual([...(await listing.entries()).keys()].sort(), ['late', 'new', 'put']);
  listing.note('new', undefined);
  assert.deepEqual(shown(), ['late 7', 'put 7']);
});

test('a long listing that arrives at once leaves turns to others all the time', async () => {
  let spooled = 0;
  const put = async (entries: readonly Entry[]): Promise<void> => {
    spooled += entries.length;
  };
  const batch = Array.from({ length: 30_000 }, (_, at) => file(`f${at}`));
  const listing = beginListing({
    connector: {
      async *list() {
        yield batch;
        yield batch;
      },
    },
    path: '/',
    begunAt: 0,
    isWanted: () => true,
    take: () => undefined,
    openSpool: () => ({ put, next: async () => assert.fail('nobody stores it'), close: () => undefined }),
  });
  let isComplete = false;
  const complete = listing.complete.finally(() => (isComplete = true));
  let turns = 0;
  for (; !isComplete; turns++) await turn();
  await complete;
  assert.equal(spooled, 60_000);
  assert.ok(turns > 200, `others had ${turns} turns`);
});
