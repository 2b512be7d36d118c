import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wantedRange } from './wanted-range.ts';

const rows = (loaded: number, count: number) => ({
  has: (index: number) => index < loaded,
  loaded: () => loaded,
  hasMore: () => loaded < count,
  count: () => count,
});

test('no further rows are loaded before half is scrolled past [BRW-05]', () => {
  assert.equal(wantedRange(rows(25, 100), { first: 0, last: 17, scrolled: 0 }), undefined);
  assert.equal(wantedRange(rows(25, 100), { first: 3, last: 20, scrolled: 3 }), undefined);
});

test('scrolled past half, 25 more rows are loaded [BRW-04]', () => {
  assert.deepEqual(wantedRange(rows(25, 100), { first: 4, last: 21, scrolled: 4 }), { offset: 25, limit: 25 });
  assert.deepEqual(wantedRange(rows(50, 100), { first: 17, last: 34, scrolled: 17 }), { offset: 50, limit: 25 });
});

test('at the end nothing more is loaded', () => {
  assert.equal(wantedRange(rows(100, 100), { first: 80, last: 99, scrolled: 80 }), undefined);
});

test('a jump far down loads the thousand rows around the position and none between', () => {
  assert.deepEqual(wantedRange(rows(25, 100_000), { first: 54_321, last: 54_340, scrolled: 54_321 }), { offset: 54_000, limit: 1000 });
});

test('a screen that the first rows do not fill loads what it shows', () => {
  assert.deepEqual(wantedRange(rows(25, 100), { first: 0, last: 39, scrolled: 0 }), { offset: 25, limit: 25 });
});
