import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { extensionOf, sortKeyOf } from './sort-key.ts';

const sorted = (names: readonly string[]): string[] =>
  names.toSorted((a, b) => {
    const [x, y] = [sortKeyOf(a), sortKeyOf(b)];
    return x === y ? (a < b ? -1 : 1) : x < y ? -1 : 1;
  });

test('names are ordered naturally and without regard to case', () => {
  const inOrder = ['a2', 'A10', 'a100b', 'b', 'B1', 'b01', 'b2', 'café', 'Cafeteria', 'z'];
  assert.deepEqual(sorted(inOrder.toReversed()), ['a2', 'A10', 'a100b', 'b', 'B1', 'b01', 'b2', 'café', 'Cafeteria', 'z']);
});

test('of two names that differ in a number the smaller number comes first, however long', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 40n }),
      fc.bigInt({ min: 0n, max: 10n ** 40n }),
      fc.string({ maxLength: 20 }),
      (a, b, rest) => {
        fc.pre(a !== b && !/^\d/.test(rest));
        assert.equal(sortKeyOf(`x${a}${rest}`) < sortKeyOf(`x${b}${rest}`), a < b);
      },
    ),
  );
});

test('names that differ only in case share one key, whatever their letters', () => {
  for (const [one, other] of [
    ['IMG_12.JPG', 'img_12.jpg'],
    ['ÄRGER 7', 'a\u0308rger 7'],
    ['\u212a10', 'k10'],
    ['Zürich.TXT', 'ZURICH.txt'],
    ['漢字A', '漢字a'],
  ] as const)
    assert.equal(sortKeyOf(one), sortKeyOf(other), one);
  assert.equal(sortKeyOf('[A]_{z}`@'), '[a]_{z}`@');
});

test('a key depends on the name alone, and never grows beyond what an index accepts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (name) => {
      assert.equal(sortKeyOf(name), sortKeyOf(name));
      assert.ok(sortKeyOf(name).length <= 200);
    }),
  );
});

test('the extension that orders by type is the text after the last dot', () => {
  assert.deepEqual(['a.TXT', 'a.tar.gz', '.env', 'a', 'a.'].map(extensionOf), ['txt', 'gz', '', '', '']);
});
