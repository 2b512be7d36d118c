import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderOf, orderQuery } from './order.ts';
import { foldersDownTo, shareHref, parseShareAddress } from './share-address.ts';

const odd = ['a/b c', '100% #1?', 'ü\\x'];

test('an address names a share and a location in it, whatever the names contain', () => {
  assert.deepEqual(parseShareAddress('7dQm', 'list'), { weblinkId: '7dQm', path: '', view: 'list' });
  assert.deepEqual(parseShareAddress('7dQm/a/b', 'gallery'), { weblinkId: '7dQm', path: 'a/b', view: 'gallery' });
  for (const path of [...odd, odd.join('/')]) {
    for (const view of ['list', 'gallery'] as const) {
      const href = shareHref({ weblinkId: '7dQm', path, view });
      assert.deepEqual(parseShareAddress(href.replace(view === 'gallery' ? '/s/g/' : '/s/', ''), view), { weblinkId: '7dQm', path, view });
    }
  }
});

test('an invalid address names nothing', () => {
  assert.equal(parseShareAddress('', 'list'), undefined);
  assert.equal(parseShareAddress('/', 'list'), undefined);
  assert.equal(parseShareAddress('7dQm/%zz', 'list'), undefined);
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
