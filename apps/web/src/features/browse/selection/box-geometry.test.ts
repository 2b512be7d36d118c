import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellsInBox, picturesInBox, rowsInBox } from './box-geometry.ts';

const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });

test('a box touches the rows between its edges, and no row outside of the list', () => {
  assert.deepEqual(rowsInBox(box(0, 30, 5, 81), 40, 10), [0, 1, 2]);
  assert.deepEqual(rowsInBox(box(0, 40, 5, 80), 40, 10), [1]);
  assert.deepEqual(rowsInBox(box(0, -50, 5, 1), 40, 10), [0]);
  assert.deepEqual(rowsInBox(box(0, 380, 5, 900), 40, 10), [9]);
  assert.deepEqual(rowsInBox(box(0, 500, 5, 900), 40, 10), []);
});

test('a box in a grid touches cells, and not the gaps between them', () => {
  const cells = { columns: 3, width: 320, height: 50, gap: 10 };
  assert.deepEqual(cellsInBox(box(50, 20, 150, 70), cells, 8), [0, 1, 3, 4]);
  assert.deepEqual(cellsInBox(box(101, 20, 109, 55), cells, 8), []);
  assert.deepEqual(cellsInBox(box(50, 51, 150, 59), cells, 8), []);
  assert.deepEqual(cellsInBox(box(-40, 110, 900, 900), cells, 8), [6, 7]);
});

test('a box in a gallery touches pictures by their widths', () => {
  const rows = [
    { first: 0, end: 2, top: 0, height: 100 },
    { first: 2, end: 4, top: 106, height: 100 },
  ];
  const widths = () => [60, 134];
  assert.deepEqual(picturesInBox(box(0, 10, 30, 120), rows, widths, 6), [0, 2]);
  assert.deepEqual(picturesInBox(box(61, 10, 65, 90), rows, widths, 6), []);
  assert.deepEqual(picturesInBox(box(64, 101, 90, 105), rows, widths, 6), []);
  assert.deepEqual(picturesInBox(box(64, 90, 90, 107), rows, widths, 6), [1, 3]);
});
