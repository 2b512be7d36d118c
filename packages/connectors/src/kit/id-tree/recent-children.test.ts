import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item } from './item-tree.ts';
import { createRecentChildren } from './recent-children.ts';

const ask = { signal: new AbortController().signal };
const item = (id: string, name: string): Item<undefined> => ({ id, name, kind: 'file', entry: {}, facts: undefined });
const folder: Item<undefined> = { id: 'f', name: 'folder', kind: 'folder', entry: {}, facts: undefined };

/** A folder whose listing stops before its end until the test releases it. */
function setting(trustsAbsence = true) {
  const state = { rows: [item('1', 'a')], listings: 0, now: 0, gate: Promise.resolve() };
  const recent = createRecentChildren<undefined>({
    async *list() {
      state.listings += 1;
      yield [...state.rows];
      await state.gate;
    },
    trustsAbsence: () => trustsAbsence,
    now: () => state.now,
  });
  const ids = async (name: string) => (await recent.named(folder, name, ask)).map(({ id }) => id);
  return { state, recent, ids };
}

test('a hundred lookups cost one listing, until it is old', async () => {
  const { state, ids } = setting();
  for (let round = 0; round < 100; round += 1) assert.deepEqual(await ids('a'), ['1']);
  assert.deepEqual(await ids('b'), []);
  assert.equal(state.listings, 1);
  state.rows.push(item('2', 'b'));
  state.now = 60_000;
  assert.deepEqual(await ids('b'), ['2']);
  assert.equal(state.listings, 2);
});

test('where absence is not trusted, a missing name is looked up again', async () => {
  const { state, ids } = setting(false);
  assert.deepEqual(await ids('a'), ['1']);
  state.rows.push(item('2', 'b'));
  assert.deepEqual(await ids('b'), ['2']);
  assert.deepEqual(await ids('a'), ['1']);
  assert.equal(state.listings, 2);
});

test('additions and removals are known at once, also by a running listing', async () => {
  const { state, recent, ids } = setting();
  await ids('a');
  recent.added(folder, item('2', 'b'));
  assert.deepEqual(await ids('b'), ['2']);
  const gate = Promise.withResolvers<void>();
  state.gate = gate.promise;
  const listing = Array.fromAsync(recent.children(folder, ask));
  await new Promise(setImmediate);
  recent.added(folder, item('3', 'c'));
  recent.removed('1');
  gate.resolve();
  await listing;
  assert.deepEqual([await ids('a'), await ids('b'), await ids('c')], [[], [], ['3']]);
});

test('a listing that was cancelled early is not kept', async () => {
  const { state, recent, ids } = setting();
  for await (const batch of recent.children(folder, ask)) {
    assert.equal(batch.length, 1);
    break;
  }
  assert.deepEqual(await ids('a'), ['1']);
  assert.equal(state.listings, 2);
});
