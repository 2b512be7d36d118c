import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderOf, hrefOfPlace, titleOf } from './words.ts';

const from = [{ linkUri: '/l1/2025/RAW', path: 'Photos/2025/RAW', isFolder: true }];
const to = { linkUri: '/l2', path: 'Backup', isFolder: true };

test('a title says what goes where, in the tense of the state', () => {
  assert.equal(titleOf({ kind: 'copy', state: 'planned', from, to }), 'Copy RAW to Backup');
  assert.equal(titleOf({ kind: 'copy', state: 'running', from, to }), 'Copying RAW to Backup');
  assert.equal(titleOf({ kind: 'move', state: 'done', from: [...from, ...from], to }), 'Moved 2 items to Backup');
  assert.equal(titleOf({ kind: 'move', state: 'failed', from, to }), 'Move RAW to Backup');
});

test('a location links to its folder by the name of its link, with any characters and a membership', () => {
  const urls: Readonly<Record<string, string>> = { l1: '/browse/My%20photos', org: '/browseorg/Studio?orgMembershipOid=m1' };
  const urlOf = (id: string): string | undefined => urls[id];
  assert.equal(hrefOfPlace({ linkUri: '/l1', isFolder: true }, urlOf), '/browse/My%20photos');
  assert.equal(hrefOfPlace({ linkUri: '/l1/a%20b/50%25%3F', isFolder: true }, urlOf), '/browse/My%20photos/a%20b/50%25%3F');
  assert.equal(hrefOfPlace({ linkUri: '/l1/a/b.txt', isFolder: false }, urlOf), '/browse/My%20photos/a');
  assert.equal(hrefOfPlace({ linkUri: '/org/a', isFolder: true }, urlOf), '/browseorg/Studio/a?orgMembershipOid=m1');
  assert.equal(hrefOfPlace({ linkUri: '/gone/a', isFolder: true }, urlOf), undefined);
});

test('the folder of an item is shown without the slash at its start', () => {
  assert.deepEqual(['/a/b/c.txt', 'a/c.txt', '/c.txt', 'c.txt'].map(folderOf), ['a / b', 'a', '', '']);
});
