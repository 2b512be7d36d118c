import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browseHref, namesOf } from './paths.ts';

test('a link opens at /browse/{linkName} [RT-054]', () => {
  assert.equal(browseHref(['Photos']), '/browse/Photos');
});

test('a backslash in a link name is written %5C [RT-055]', () => {
  assert.equal(browseHref(['team\\share', 'a']), '/browse/team%5Cshare/a');
});

test('names of every kind come back from an address as they were', () => {
  const names = ['Link \\ one', '100 %', '$price', '#1?', 'ünï', 'a%2Fb', '{x}', '🌾', '+&=', '...'];
  assert.deepEqual(namesOf(browseHref(names).slice('/browse/'.length)), names);
});

test('an address that is not well-formed leads nowhere', () => {
  assert.equal(namesOf('a/%E0%A4%A'), undefined);
});

test('pictures have an address of their own', () => {
  assert.equal(browseHref(['Holiday', 'Day 1'], 'gallery'), '/gallery/Holiday/Day%201');
});

test('items of an organisation have addresses of their own, which name the membership [RT-058] [RT-059] [RT-060] [RT-061]', () => {
  assert.equal(browseHref(['NAS', 'a b'], 'browseorg', 'm 1'), '/browseorg/NAS/a%20b?orgMembershipOid=m+1');
  assert.equal(browseHref(['Photos'], 'browsegalleryorg'), '/browsegalleryorg/Photos');
});
