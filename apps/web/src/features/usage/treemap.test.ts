import assert from 'node:assert/strict';
import { test } from 'node:test';
import { squarify } from './treemap.ts';

const area = { x: 10, y: 20, width: 600, height: 400 };

test('each value gets its share of the area, within it and without overlaps', () => {
  const values = [600, 300, 300, 200, 200, 100, 50, 25, 10, 5, 1];
  const placed = squarify(values, area);
  assert.equal(placed.length, values.length);
  const all = values.reduce((sum, value) => sum + value, 0);
  for (const [index, { x, y, width, height }] of placed.entries()) {
    const share = ((values[index] ?? 0) / all) * 240_000;
    assert.ok(Math.abs(width * height - share) < 1e-6 * 240_000, `${index}: ${width * height} of ${share}`);
    assert.ok(x >= 10 - 1e-6 && y >= 20 - 1e-6 && x + width <= 610 + 1e-6 && y + height <= 420 + 1e-6);
    for (const other of placed.slice(index + 1)) {
      const across = Math.min(x + width, other.x + other.width) - Math.max(x, other.x);
      const down = Math.min(y + height, other.y + other.height) - Math.max(y, other.y);
      assert.ok(across < 1e-6 || down < 1e-6, `${index} overlaps`);
    }
  }
});

test('equal values become nearly square, and nothing is placed where there is no room or no value', () => {
  for (const { width, height } of squarify(Array<number>(12).fill(1), { x: 0, y: 0, width: 400, height: 300 }))
    assert.ok(Math.max(width / height, height / width) < 1.5);
  assert.deepEqual(squarify([], area), []);
  assert.deepEqual(squarify([0, 0], area), []);
  assert.deepEqual(squarify([1], { ...area, width: 0 }), []);
});
