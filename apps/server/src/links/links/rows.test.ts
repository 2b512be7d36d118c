import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browseUrlOfLink } from './rows.ts';

test('a link of Facebook or Instagram opens in the gallery, others in the list [RT-056] [RT-057]', () => {
  assert.equal(browseUrlOfLink({ name: 'My albums', provider: 'FACEBOOK' }), '/gallery/My%20albums');
  assert.equal(browseUrlOfLink({ name: 'My pictures', provider: 'INSTAGRAM' }), '/gallery/My%20pictures');
  assert.equal(browseUrlOfLink({ name: 'My files', provider: 'DROPBOX' }), '/browse/My%20files');
});
