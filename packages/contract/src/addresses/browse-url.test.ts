import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browseUrlOf } from './browse-url.ts';

test('the address of a link is its percent-encoded name, in which a backslash becomes %5C', () => {
  assert.equal(browseUrlOf({ name: 'My NAS', gallery: false }), '/browse/My%20NAS');
  assert.equal(browseUrlOf({ name: 'a\\b/c?d#e%é', gallery: false }), '/browse/a%5Cb%2Fc%3Fd%23e%25%C3%A9');
});

test("photo-style providers open in the gallery, an organisation's links with the membership [RT-058] [RT-059] [RT-061]", () => {
  assert.equal(browseUrlOf({ name: 'p', gallery: true }), '/gallery/p');
  assert.equal(browseUrlOf({ name: 'p', gallery: false, orgMembershipOid: 'm 1' }), '/browseorg/p?orgMembershipOid=m%201');
  assert.equal(browseUrlOf({ name: 'p', gallery: true, orgMembershipOid: 'm' }), '/browsegalleryorg/p?orgMembershipOid=m');
});
