import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connector } from '@sheaf/connectors';
import { DatabaseFull } from '#/platform/db/engines/unavailable.ts';
import { testContent } from '#/testing/content.ts';
import { createSpools } from './rows/spool.ts';
import { createListings } from './service.ts';

const byName = { sort: 'name', order: 'asc', filter: '' } as const;
const first = { view: byName, fresh: false, refresh: true, early: true, offset: 0, limit: 25 };
const inTime = () => AbortSignal.timeout(60_000);

/** A folder longer than what is kept in memory, whose end the test releases. */
function hugeFolder(count: number) {
  const end = Promise.withResolvers<void>();
  const connector: Pick<Connector, 'list'> = {
    async *list() {
      for (let at = 0; at < count; at += 500) {
        if (at + 500 >= count) await end.promise;
        yield Array.from({ length: 500 }, (_, index) => ({ name: `file ${count - at - index}`, kind: 'file', size: at + index }) as const);
      }
    },
  };
  return { connector, end };
}

test('a folder too long for memory shows its first rows at once, and every row once it is stored [BRW-29]', async (t) => {
  const { listings, userLinkId } = await testContent(t);
  const { connector, end } = hugeFolder(30_000);
  const place = { userId: 'user1', linkId: userLinkId, path: '/huge', connector };
  const early = await listings.firstPage(place, first, inTime());
  assert.deepEqual([early.entries.length, early.total, early.stale], [25, undefined, true]);
  await listings.note(userLinkId, '/huge', { put: { name: 'file 0', kind: 'file', size: 7 }, gone: 'file 2' });
  end.resolve();
  const whole = await listings.firstPage(place, { ...first, early: false }, inTime());
  assert.deepEqual(
    whole.entries.slice(0, 3).map(({ name, size }) => [name, size]),
    [
      ['file 0', 7],
      ['file 1', 29_999],
      ['file 3', 29_997],
    ],
  );
  assert.deepEqual([whole.total, whole.stale], [30_000, false]);
  const last = await listings.page(place, { view: byName, early: false, offset: 29_990, limit: 25 }, inTime());
  assert.deepEqual([last.entries.length, last.entries.at(-1)?.name], [10, 'file 30000']);
  const bySize = { sort: 'size', order: 'desc', filter: '' } as const;
  const largest = await listings.page(place, { view: bySize, early: false, offset: 0, limit: 1 }, inTime());
  assert.equal(largest.entries[0]?.name, 'file 1');
  assert.deepEqual((await listings.namesFrom(place, 'file 2999', inTime())).length, 11);
});

test('a folder that is too large for memory and cannot be stored is reported as such', async (t) => {
  const { store, userLinkId } = await testContent(t);
  const told: unknown[] = [];
  const full = new DatabaseFull(new Error('database or disk is full'));
  const listings = createListings({
    store: { ...store, merge: () => Promise.reject(full) },
    spools: createSpools(),
    now: Date.now,
    newVersion: randomUUID,
    onStoreError: (error) => told.push(error),
  });
  t.after(listings.close);
  const { connector, end } = hugeFolder(30_000);
  end.resolve();
  const place = { userId: 'user1', linkId: userLinkId, path: '/huge', connector };
  await assert.rejects(listings.firstPage(place, { ...first, early: false }, inTime()), full);
  assert.deepEqual(told, [full]);
});

test('a change does not wait until a huge folder is stored', async (t) => {
  const { listings, userLinkId, store } = await testContent(t);
  const { connector, end } = hugeFolder(60_000);
  end.resolve();
  const place = { userId: 'user1', linkId: userLinkId, path: '/huge', connector };
  const small = await store.openFolder(userLinkId, '/small');
  let isStored = false;
  const storing = listings.firstPage(place, { ...first, early: false }, AbortSignal.timeout(60_000)).then(() => (isStored = true));
  let changes = 0;
  for (; !isStored; changes++) {
    await store.change(small.id, [{ put: { name: `file ${changes}`, kind: 'file' } }], changes);
    await sleep(1);
  }
  await storing;
  assert.ok(changes > 10, `${changes} changes were made meanwhile`);
});
