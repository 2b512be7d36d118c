import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from './database.ts';
import type { Db } from './schema/engine.ts';

/** Levels of `pragma synchronous`: https://sqlite.org/pragma.html#pragma_synchronous. */
const [normal, full] = [1, 2];

test('only single statements of the unsynced handle do not wait for the disk, and they wait for transactions', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-unsynced-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const { db, unsynced, close } = await openDatabase({ databaseUrl: '', dataDir, onLostConnection: () => undefined });
  t.after(close);
  const levelOf = async (handle: Db): Promise<number | undefined> =>
    (await sql<{ synchronous: number }>`select synchronous from pragma_synchronous`.execute(handle)).rows[0]?.synchronous;
  const add = (handle: Db, key: string) => handle.insertInto('throttle').values({ key, tries: 1, windowEndsAt: 1 }).execute();

  assert.deepEqual([await levelOf(unsynced), await levelOf(db)], [normal, full]);
  let isWritten = false;
  let written: Promise<unknown> | undefined;
  await db.transaction().execute(async (transaction) => {
    written = add(unsynced, 'beside').then(() => (isWritten = true));
    assert.equal(await levelOf(transaction), full);
    await add(transaction, 'within');
    assert.equal(isWritten, false);
  });
  await written;
  await assert.rejects(add(unsynced, 'beside'), /UNIQUE/);
  assert.equal(await levelOf(db), full);
  await assert.rejects(unsynced.transaction().execute((transaction) => add(transaction, 'never')));
  const keys = await db.selectFrom('throttle').select('key').orderBy('key').execute();
  assert.deepEqual(
    keys.map(({ key }) => key),
    ['beside', 'within'],
  );
});
