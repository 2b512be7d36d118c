import assert from 'node:assert/strict';
import { test } from 'node:test';
import { justify, rowOf } from './justify.ts';

const space = { width: 1000, height: 200, gap: 6 };
const shapes = [1.5, 0.66, 1.5, 1.33, 1, 1.77, 0.5, 3, 1.5, 0.75, 1.5, 1.5, 1];
const ratioAt = (index: number): number => shapes[index % shapes.length] ?? 1;

test('every item stands in one row, in order, and rows follow each other', () => {
  const rows = justify(100, ratioAt, space);
  let [first, top] = [0, 0];
  for (const row of rows) {
    assert.deepEqual([row.first, row.top], [first, top]);
    assert.ok(row.end > row.first);
    first = row.end;
    top += row.height + space.gap;
  }
  assert.equal(first, 100);
  assert.equal(rowOf(rows, 99), rows.length - 1);
});

test('every row but the last is exactly as wide as the space, and about as high as wished', () => {
  for (const { first, end, height } of justify(100, ratioAt, space).slice(0, -1)) {
    let width = space.gap * (end - first - 1);
    for (let index = first; index < end; index++) width += ratioAt(index) * height;
    assert.ok(Math.abs(width - space.width) < end - first + 3, `${width} wide`);
    assert.ok(height > 110 && height <= 200, `${height} high`);
  }
});

test('a few pictures are not stretched, and a panorama does not shrink to a line', () => {
  assert.deepEqual(
    justify(2, () => 1, space),
    [{ first: 0, end: 2, top: 0, height: 200 }],
  );
  assert.ok((justify(3, () => 40, space)[0]?.height ?? 0) > 100);
  assert.deepEqual(
    justify(0, () => 1, space),
    [],
  );
});

test('rows stay in place when the shapes of pictures become known', () => {
  const before = justify(60, () => 1.4, space);
  const after = justify(60, ratioAt, space, before.slice(0, 3));
  assert.deepEqual(after.slice(0, 3), before.slice(0, 3));
  assert.notDeepEqual(after.slice(3), before.slice(3));
  assert.equal(after.at(-1)?.end, 60);
});
