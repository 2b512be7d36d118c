import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, isCurrent } from './menu-address.ts';

const home = { route: '/account/mysheaf' };
const spaces = { route: '/account/mysheaf', query: { catid: 'spaces' } };

test('a menu item has an address of its own or a route with its query [NAV-18] [NAV-20]', () => {
  assert.equal(addressOf({ url: 'https://forum.example/' }), 'https://forum.example/');
  assert.equal(addressOf(spaces), '/account/mysheaf?catid=spaces');
  assert.equal(addressOf({ route: '/shared' }), '/shared');
});

test('the home item is current on every path that begins with /browse [NAV-25]', () => {
  for (const here of ['/browse', '/browse/Photos/2025', '/browseorg/Studio', '/browsegalleryorg/Studio'])
    assert.ok(isCurrent(home, here), here);
});

test('the home item is current on every path that begins with /gallery [NAV-26]', () => {
  assert.ok(isCurrent(home, '/gallery/Holiday?sort=modified'));
});

test('only the item of the shown category is current [NAV-24]', () => {
  assert.ok(isCurrent(home, '/account/mysheaf'));
  assert.ok(!isCurrent(spaces, '/account/mysheaf'));
  assert.ok(isCurrent(spaces, '/account/mysheaf?catid=spaces'));
  assert.ok(!isCurrent(home, '/account/mysheaf?catid=spaces'));
  assert.ok(!isCurrent({ route: '/shared' }, '/account/mysheaf'));
});

test('the transfers item is current for every transfer', () => {
  const item = { route: '/transfers' };
  assert.deepEqual(
    ['/transfers', '/transfers/abc', '/transfer', '/shared'].map((here) => isCurrent(item, here)),
    [true, true, false, false],
  );
});
