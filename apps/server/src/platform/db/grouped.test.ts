import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { testDatabase } from '#/testing/database.ts';
import { openDatabase } from './database.ts';

test('of writes beside each other one that fails fails alone, and each gives its own result', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-grouped-'));
  t.after(() => rm(dataDir, { recursive: true }));
  // A connection that is lost while the pool closes concerns no write; one that is lost before rejects a write, which fails the test.
  const onLostConnection = (): void => undefined;
  const { db, grouped, close } = await openDatabase({ databaseUrl: await testDatabase(), dataDir, onLostConnection });
  t.after(close);
  const inserted = (key: string): Promise<string | undefined> =>
    grouped(async (handle) => {
      const row = await handle.insertInto('throttle').values({ key, tries: 1, windowEndsAt: 1 }).returning('key').executeTakeFirst();
      return row?.key;
    });
  assert.equal(await inserted('first'), 'first');
  const keys = ['a', 'b', 'first', ...Array.from({ length: 150 }, (_, number) => `c${number}`)];
  const ends = await Promise.allSettled(keys.map(inserted));
  for (const [at, end] of ends.entries())
    if (keys[at] === 'first') assert.equal(end.status, 'rejected');
    else assert.deepEqual(end, { status: 'fulfilled', value: keys[at] });
  const stored = await db.selectFrom('throttle').select('key').execute();
  assert.deepEqual(stored.map(({ key }) => key).toSorted(), keys.toSorted());
});
