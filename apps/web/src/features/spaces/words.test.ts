import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Space } from '@sheaf/contract';
import { memberWords, placeOf, troubleOf } from './words.ts';

const space: Space = {
  spaceOid: 's1',
  name: 'Holidays',
  description: 'Holidays',
  role: 'viewer',
  state: 'ok',
  ownerName: 'Mara Halm',
  userLinkId: 'l1',
  linkName: 'Holidays',
  linkUri: '/l1',
  browseUrl: '/browse/Holidays',
  provider: 'SFTP',
  members: 2,
  createdAt: 0,
};

test('a reachable space shows no problem', () => {
  assert.equal(troubleOf(space), undefined);
});

test('members are told whose storage is gone, the owner that it is their own', () => {
  assert.match(troubleOf({ ...space, state: 'unlinked' }) ?? '', /^Mara Halm has unlinked the storage of "Holidays"\./);
  assert.match(troubleOf({ ...space, state: 'expired' }) ?? '', /^Mara Halm's subscription to Spaces has ended\. The files of "Holidays"/);
  assert.match(troubleOf({ ...space, state: 'unlinked', role: 'owner' }) ?? '', /^You have unlinked/);
  assert.match(troubleOf({ ...space, state: 'expired', role: 'owner' }) ?? '', /^Your subscription/);
});

test('members are counted in words', () => {
  assert.deepEqual([1, 2, 7].map(memberWords), ['Just you', '2 members', '7 members']);
});

test('the owner sees the location as a path, others see whose it is', () => {
  assert.equal(placeOf(space), 'SFTP of Mara Halm');
  assert.equal(placeOf({ ...space, destinationPath: 'Server/Photos' }), 'Server/Photos');
  assert.equal(placeOf({ ...space, destinationPath: '/Photos', state: 'unlinked' }), 'SFTP/Photos');
  assert.equal(placeOf({ ...space, destinationPath: '', state: 'unlinked' }), 'SFTP');
});
