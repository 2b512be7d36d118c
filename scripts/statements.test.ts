import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covering, shapeOf } from './statements.ts';

test('statements that differ only in the number of their values are one', () => {
  assert.equal(shapeOf('select a from b where c in (?, ?, ?)'), shapeOf('select a from b where c in (?)'));
  assert.equal(shapeOf('insert into b (a, c) values (?, ?), (?, ?)'), shapeOf('insert into b (a, c) values (?, ?)'));
  assert.notEqual(shapeOf('select a from b where c = ?'), shapeOf('select a from b where d = ?'));
});

test('the chosen files make every statement as often as wanted, and none is chosen for nothing', () => {
  const made = new Map([
    ['all but d', new Set(['a', 'b', 'c'])],
    ['a', new Set(['a'])],
    ['d', new Set(['d'])],
    ['a and b', new Set(['a', 'b'])],
    ['none', new Set<string>()],
  ]);
  assert.deepEqual([...covering(made, [], 1)].sort(), ['all but d', 'd']);
  assert.deepEqual([...covering(made, [], 2)].sort(), ['a and b', 'all but d', 'd']);
  assert.deepEqual([...covering(made, ['none', 'a and b'], 1)].sort(), ['a and b', 'all but d', 'd', 'none']);
  assert.deepEqual([...covering(new Map(), ['unknown'], 1)], ['unknown']);
});
