import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketsOf, findBucket } from './buckets.ts';

const names = (...links: readonly (readonly [userLinkId: string, name: string])[]) =>
  bucketsOf(links.map(([userLinkId, name]) => ({ userLinkId, name }))).map(({ name }) => name);

test('names of links become names of buckets, and no link takes over the bucket of another', () => {
  assert.deepEqual(names(['id0001x', 'My NAS'], ['id0002x', 'Größe & más'], ['id0003x', 'photos']), ['my-nas', 'grosse-mas', 'photos']);
  assert.deepEqual(names(['id0001x', '写真'], ['id0002x', 'Sheaf'], ['id0003x', 'a']), ['link-id0001', 'sheaf-id0002', 'a-id0003']);
  assert.deepEqual(names(['id0001x', 'My NAS'], ['id0002x', 'My  nas']), ['my-nas-id0001', 'my-nas-id0002']);
  assert.deepEqual(names(['id0001x', 'My NAS'], ['id0002x', 'my-nas']), ['my-nas-id0001', 'my-nas']);
  for (const name of names(['ID-0_01x', 'x'.repeat(200)], ['id0002x', '-.-'], ['id0003x', '192.168.0.1']))
    assert.match(name, /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/);
  // A name with the mark is understood before another link makes it necessary.
  const links = [{ userLinkId: 'id0001x', name: 'My NAS' }];
  assert.equal(findBucket(links, 'my-nas-id0001')?.userLinkId, 'id0001x');
  assert.equal(findBucket(links, 'my-nas')?.userLinkId, 'id0001x');
  assert.equal(findBucket(links, 'other'), undefined);
});
