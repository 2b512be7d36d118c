import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item } from '@sheaf/contract';
import { decide, goneHere } from './plan.ts';

const modified = 1_767_323_045_000;
const file = { path: 'a.txt', size: 3, modified };
const item = (change: Partial<Item>): Item => ({
  name: 'a.txt',
  disambiguatedName: 'a.txt',
  linkUri: '/x/a.txt',
  fileType: 'FILE',
  size: 3,
  ...change,
});

test('a file is kept while neither side changed since it was copied', () => {
  const copied = { size: 3, modified };
  assert.equal(decide(file, item({}), copied), 'keep');
  assert.equal(decide(file, undefined, copied), 'copy');
  assert.equal(decide(file, item({ size: 4 }), copied), 'copy');
  assert.equal(decide({ ...file, size: 4 }, item({}), copied), 'copy');
  assert.equal(decide({ ...file, modified: modified + 1 }, item({}), copied), 'copy');
  assert.equal(decide({ ...file, modified: modified + 1 }, item({}), { ...copied, hash: 'x' }), 'check');
});

test('a source that reports no size is assumed to have kept the copy', () => {
  const { size: _size, ...sizeless } = item({});
  assert.equal(decide(file, sizeless, { size: 3, modified }), 'keep');
  assert.equal(decide(file, sizeless, undefined), 'copy');
});

test('a file already at the destination with the same size and time is not copied, even if this job did not put it there', () => {
  assert.equal(decide(file, item({ modified: modified / 1000 + 2 }), undefined), 'note');
  assert.equal(decide(file, item({ modified: modified / 1000 + 3 }), undefined), 'copy');
  assert.equal(decide(file, item({}), undefined), 'copy');
  assert.equal(decide(file, item({ fileType: 'FOLDER', modified: modified / 1000 }), undefined), 'copy');
});

test('a file counts as deleted when it was copied and is missing here, unless its folder could not be read', () => {
  const copied = new Map(['a.txt', 'b.txt', 'locked/c.txt', 'locked', 'lockedout.txt'].map((path) => [path, { size: 1, modified }]));
  assert.deepEqual(goneHere(copied, [file], ['locked']), ['lockedout.txt', 'b.txt']);
});
