import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LockRow } from './lock-store.ts';
import { createLockFinder } from './locks.ts';

const lock = (path: string, isDeep: 0 | 1 = 0): LockRow => ({
  linkId: 'link',
  path,
  token: `urn:uuid:${path}`,
  accountId: 'account',
  isShared: 0,
  isDeep,
  owner: '',
  seconds: 60,
  expiresAt: 60,
});

test('a path is covered by its own locks and by deep ones of the folders that hold it', () => {
  const find = createLockFinder([lock('/', 0), lock('/a', 1), lock('/a/b', 0), lock('/a/b/c.txt'), lock('/ab', 1)]);
  const paths = (path: string): string[] =>
    find(path)
      .map((found) => found.path)
      .sort();
  assert.deepEqual(paths('/a/b/c.txt'), ['/a', '/a/b/c.txt']);
  assert.deepEqual(paths('/a/b'), ['/a', '/a/b']);
  assert.deepEqual(paths('/'), ['/']);
  assert.deepEqual(paths('/other'), []);
  assert.deepEqual(createLockFinder([])('/a'), []);
});

test('listing a folder looks at each of its thousands of locks a few times only', () => {
  let looks = 0;
  const counted = (path: string): LockRow => ({
    ...lock(path),
    get path() {
      looks++;
      return path;
    },
  });
  const paths = Array.from({ length: 5000 }, (_, index) => `/folder/${index}`);
  const find = createLockFinder(paths.map(counted));
  for (const path of paths) assert.equal(find(path).length, 1);
  assert.ok(looks <= 5 * paths.length, `${looks} looks`);
});
