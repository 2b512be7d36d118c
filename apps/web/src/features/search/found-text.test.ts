import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundItem } from '@sheaf/contract';
import { amountText, countText, outcomeText } from './found-text.ts';

const item: FoundItem = { name: 'a', disambiguatedName: 'a', linkUri: 'link://L/a', fileType: 'FILE', userLinkId: 'L', folder: '/' };

test('a search that stopped early says so instead of a count', () => {
  const none = { items: [], hasMore: false, isPartial: true };
  assert.equal(countText(none), '0 so far');
  assert.equal(outcomeText(none), 'Nothing found so far. Only a part of the names was looked through: narrow the search.');
  const some = { items: [item, item], hasMore: true, isPartial: true };
  assert.equal(countText(some), 'More than 2 so far');
  assert.equal(outcomeText(some), 'Only a part of the names was looked through: narrow the search.');
  assert.equal(amountText(2, { isPartial: true }), '2 so far');
});

test('a complete search gives its count', () => {
  assert.equal(countText({ items: [item], total: 1, hasMore: false }), '1 result');
  assert.equal(countText({ items: [item], hasMore: true }), 'More than 1,000');
  assert.equal(outcomeText({ items: [item], total: 1, hasMore: false }), undefined);
  assert.equal(outcomeText({ items: [], total: 0, hasMore: false }), 'Nothing found in the folders that Sheaf knows.');
  assert.equal(amountText(1, { found: 3 }), '1 of 3');
  assert.equal(amountText(1, {}), '1 of more than 1,000');
});
