import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locationOf, stepsTo } from './location.ts';

test('a location has a path of names, an address, and whether it has a parent [PCK-30]', () => {
  assert.deepEqual(locationOf([]), { destinationPath: '', linkUri: '', backPathExists: false });
  const steps = [
    { name: 'Server', linkUri: '/L1' },
    { name: 'Old & new', linkUri: '/L1/Old%20%26%20new' },
  ];
  assert.deepEqual(locationOf(steps), { destinationPath: 'Server/Old & new', linkUri: '/L1/Old%20%26%20new', backPathExists: true });
});

test('a known address resolves to its steps, below the current name of its link', () => {
  const links = [{ name: 'Renamed server', linkUri: '/l1' }];
  assert.deepEqual(stepsTo('/l1/a%20b/c', links), [
    { name: 'Renamed server', linkUri: '/l1' },
    { name: 'a b', linkUri: '/l1/a%20b' },
    { name: 'c', linkUri: '/l1/a%20b/c' },
  ]);
  assert.deepEqual(stepsTo('/l1', links), links);
  assert.equal(stepsTo('/unlinked/a', links), undefined);
});
