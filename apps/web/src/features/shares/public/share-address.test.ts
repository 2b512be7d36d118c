import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchRoute } from '@sheaf/contract';
import { orderOf, orderQuery } from './order.ts';
import { foldersDownTo, shareHref, parseShareAddress } from './share-address.ts';

const odd = ['a/b c', '100% #1?', 'ü\\x'];

test('an address names a share and a location in it, whatever the names contain', () => {
  assert.deepEqual(parseShareAddress('/s/7dQm'), { weblinkId: '7dQm', path: '', view: 'list' });
  assert.deepEqual(parseShareAddress('/s/g/7dQm/a/b'), { weblinkId: '7dQm', path: 'a/b', view: 'gallery' });
  for (const path of [...odd, odd.join('/')])
    for (const view of ['list', 'gallery'] as const)
      assert.deepEqual(parseShareAddress(shareHref({ weblinkId: '7dQm', path, view })), { weblinkId: '7dQm', path, view });
});

test('the same addresses are galleries as in the route map', () => {
  for (const address of ['/s/x', '/s/g', '/s/g/', '/s/g/x', '/s/g/x/y', '/s/gg/x', '/s/x/g/y']) {
    const { route, splat } = matchRoute(address) ?? {};
    const { view, weblinkId } = parseShareAddress(address) ?? {};
    assert.deepEqual([view, weblinkId], [route?.name === 'publicGallery' ? 'gallery' : 'list', splat?.split('/')[0]], address);
  }
});

test('an invalid address names nothing', () => {
  for (const address of ['/s/', '/s//', '/s/7dQm/%zz', '/s/%ff', '/shared', '/']) assert.equal(parseShareAddress(address), undefined);
});

test('a file is previewed over its folder', () => {
  assert.equal(shareHref({ weblinkId: '7dQm', path: 'sub folder', view: 'list' }, 'a&b=c.jpg'), '/s/7dQm/sub%20folder?file=a%26b%3Dc.jpg');
});

test('the folders above begin with what is shared', () => {
  assert.deepEqual(foldersDownTo('', 'Gotland'), [{ name: 'Gotland', path: '' }]);
  assert.deepEqual(foldersDownTo('a/b', 'Gotland'), [
    { name: 'Gotland', path: '' },
    { name: 'a', path: 'a' },
    { name: 'b', path: 'a/b' },
  ]);
});

test('an invalid order falls back to the name', () => {
  assert.deepEqual(orderOf({ sort: 'type', order: 'up' }), { sort: 'name', order: 'asc' });
  assert.equal(orderQuery({ sort: 'size', order: 'asc' }, 'size'), '?sort=size&order=desc');
  assert.equal(orderQuery({ sort: 'size', order: 'asc' }, 'modified'), '?sort=modified&order=asc');
});
