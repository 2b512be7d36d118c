import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { searchOf, viewOf } from './view-address.ts';

test('files are shown as a list and pictures as a gallery unless the address says otherwise', () => {
  assert.equal(viewOf({}).layout, 'list');
  assert.equal(viewOf({}, 'gallery').layout, 'gallery');
  assert.equal(viewOf({ view: 'grid' }, 'gallery').layout, 'grid');
  assert.equal(viewOf({ view: 'list' }, 'gallery').layout, 'list');
  assert.equal(viewOf({ view: 'nonsense' }, 'gallery').layout, 'gallery');
  assert.equal(viewOf({}, 'preview/list').layout, 'list');
  assert.equal(viewOf({}, 'preview/gallery').layout, 'gallery');
});

test('the address holds only what is not the default', () => {
  const view = { sort: 'name', order: 'asc', filter: '', layout: 'grid' } as const;
  assert.equal(searchOf(view), '?view=grid');
  assert.equal(searchOf({ ...view, layout: 'gallery' }, 'gallery'), '');
  assert.equal(searchOf({ ...view, layout: 'list' }, 'browse', 'a b?.jpg'), '?preview=a+b%3F.jpg');
  assert.equal(searchOf({ ...view, layout: 'list', filter: 'a&b' }, 'gallery'), '?filter=a%26b&view=list');
});

test('in an organisation the address keeps the membership', () => {
  const view = { sort: 'size', order: 'asc', filter: '', layout: 'list' } as const;
  assert.equal(searchOf(view, 'browseorg', undefined, 'm1'), '?orgMembershipOid=m1&sort=size');
});
