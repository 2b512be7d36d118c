import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewOf } from '#/features/browse/view-address.ts';
import { createRememberedViews, viewKey } from './remembered-views.ts';

function memory(stored: Record<string, string> = {}) {
  const values = new Map(Object.entries(stored));
  return {
    values,
    getItem: (key: string): string | null => values.get(key) ?? null,
    setItem: (key: string, value: string): void => void values.set(key, value),
  };
}

test('a folder is shown as it was left, and the address overrides what is remembered', () => {
  const storage = memory();
  const key = viewKey('mara@example.org', 'browse', ['Server', 'Photos']);
  createRememberedViews(storage).keep(key, { layout: 'grid', sort: 'size', order: 'desc' });
  const remembered = createRememberedViews(storage).of(key);
  assert.deepEqual(viewOf({}, 'browse', remembered), { layout: 'grid', sort: 'size', order: 'desc', filter: '' });
  assert.deepEqual(viewOf({ view: 'gallery', sort: 'name', order: 'asc' }, 'browse', remembered), {
    layout: 'gallery',
    sort: 'name',
    order: 'asc',
    filter: '',
  });
});

test('other folders, areas and accounts have views of their own', () => {
  const keys = [
    viewKey('mara', 'browse', ['Server', 'a']),
    viewKey('mara', 'browse', ['Server', 'b']),
    viewKey('mara', 'gallery', ['Server', 'a']),
    viewKey('noor', 'browse', ['Server', 'a']),
    viewKey('mara', 'browse', ['Server/a']),
    viewKey('mara', 'browse', ['Server', 'a'], 'member'),
  ];
  assert.equal(new Set(keys).size, keys.length);
});

test('what is stored names no folder and is bounded, the newest kept', () => {
  const storage = memory();
  const views = createRememberedViews(storage);
  const keyOf = (index: number): string => viewKey('mara', 'browse', ['Secret plans', String(index)]);
  for (let index = 0; index < 1010; index++) views.keep(keyOf(index), { layout: 'grid', sort: 'name', order: 'asc' });
  const stored = [...storage.values.values()].join('');
  assert.doesNotMatch(stored, /Secret|mara/);
  assert.equal((JSON.parse(stored) as unknown[]).length, 1000);
  assert.equal(views.of(keyOf(0)), undefined);
  assert.notEqual(views.of(keyOf(1009)), undefined);
});

test('invalid stored text is ignored', () => {
  for (const text of ['', '{', '{}', 'null', '[1,[2,3],["a"],["a",null]]']) {
    const views = createRememberedViews(memory({ 'sheaf-views': text }));
    assert.equal(views.of('a'), undefined);
  }
  assert.equal(viewOf({}, 'browse', { layout: 'sideways', sort: 7 }).layout, 'list');
});
