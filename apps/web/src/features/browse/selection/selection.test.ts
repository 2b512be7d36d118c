import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item } from '@sheaf/contract';
import { choose, noSelection, rowAfterKey, withReplaced } from './selection.ts';

const items = ['a', 'b', 'c', 'd', 'e'].map((name): Item => ({ name, disambiguatedName: name, linkUri: `/l/${name}`, fileType: 'FILE' }));
const at = (index: number): Item | undefined => items[index];
const chosen = (selection: typeof noSelection): string =>
  [...selection.chosen.values()]
    .map(({ name }) => name)
    .toSorted()
    .join('');

test('a click selects a row alone, Ctrl adds and takes away', () => {
  const one = choose(noSelection, 1, 'only', at);
  assert.equal(chosen(one), 'b');
  const two = choose(one, 3, 'toggle', at);
  assert.equal(chosen(two), 'bd');
  assert.equal(chosen(choose(two, 1, 'toggle', at)), 'd');
  assert.equal(chosen(choose(two, 4, 'only', at)), 'e');
});

test('Shift selects from the start of the range, in both directions', () => {
  const start = choose(noSelection, 2, 'only', at);
  const down = choose(start, 4, 'range', at);
  assert.equal(chosen(down), 'cde');
  assert.equal(chosen(choose(down, 0, 'range', at)), 'abc');
});

test('a renamed item stays selected in place, and so do the others', () => {
  const renamed: Item = { name: 'z', disambiguatedName: 'z', linkUri: '/l/z', fileType: 'FILE' };
  const selected = choose(choose(choose(noSelection, 1, 'only', at), 2, 'toggle', at), 3, 'toggle', at);
  const after = withReplaced(selected, '/l/c', renamed);
  assert.deepEqual([...after.chosen.keys()], ['/l/b', '/l/z', '/l/d']);
  assert.deepEqual([after.chosen.get('/l/z'), after.cursor, after.anchor], [renamed, 3, 3]);
  assert.equal(withReplaced(selected, '/l/e', renamed), selected);
});

test('arrows, Home, End and page keys stay within the list', () => {
  assert.deepEqual(
    ['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp', 'x'].map((key) => rowAfterKey(key, 2, 100, 10)),
    [3, 1, 0, 99, 12, 0, undefined],
  );
  assert.equal(rowAfterKey('ArrowDown', 99, 100, 10), 99);
  assert.equal(rowAfterKey('ArrowUp', -1, 100, 10), 99);
  assert.equal(rowAfterKey('ArrowDown', -1, 0, 10), undefined);
});
