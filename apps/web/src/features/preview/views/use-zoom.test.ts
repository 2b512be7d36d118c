import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Look, scaled } from './use-zoom.ts';

const fitting: Look = { scale: 1, x: 0, y: 0, turns: 1 };

/** Position of a picture's point on the screen. */
const seen = ({ scale, x, y }: Look, [px, py]: readonly [number, number]): [number, number] => [x + px * scale, y + py * scale];

test('zooming keeps the point under the pointer in place', () => {
  const once = scaled(fitting, 2, 100, -40);
  assert.deepEqual(seen(once, [100, -40]), [100, -40]);
  const twice = scaled(once, 1.5, -30, 20);
  const point: [number, number] = [(-30 - once.x) / once.scale, (20 - once.y) / once.scale];
  assert.deepEqual(seen(twice, point).map(Math.round), [-30, 20]);
});

test('a picture is never smaller than the fit, is centred at the fit, and has a maximum size', () => {
  assert.deepEqual(scaled({ scale: 2, x: 50, y: 60, turns: 1 }, 0.1), fitting);
  assert.equal(scaled(fitting, 1000).scale, 16);
});
