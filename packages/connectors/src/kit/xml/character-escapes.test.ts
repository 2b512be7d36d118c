import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { characterEscapes } from './character-escapes.ts';

const { encode, decode } = characterEscapes({ character: '[\\\\\\u0001-\\u001f\\u007f]', code: '5C|0[1-9A-F]|1[\\dA-F]|7F' });

test('unsupported characters are written as their codes, and everything else unchanged', () => {
  assert.equal(encode('C:\\x'), 'C:\u241b5Cx');
  assert.equal(encode('two\nlines\u007f'), 'two\u241b0Alines\u241b7F');
  for (const plain of ['a/b c', 'Ü 資料', '\u241b', '\u241bx', '\u241b.']) assert.equal(encode(plain), plain);
  assert.equal(encode('\u241b5C'), '\u241b\u241b5C');
});

test('every key can be restored, and no two are equal', () => {
  const unit = fc.constantFrom('\u241b', '\\', '\n', '5', 'C', '0', 'A', '/', 'x', '\u007f');
  const key = fc.array(unit, { maxLength: 12 }).map((units) => units.join(''));
  fc.assert(
    fc.property(key, (text) => {
      assert.equal(decode(encode(text)), text);
      assert.doesNotMatch(encode(text), /[\\\p{Cc}]/u);
    }),
    { numRuns: 2000 },
  );
});

test('an escape of any other character stays literal, so that none becomes a slash, a dot or NUL', () => {
  for (const stored of ['a\u241b2Fb', '\u241b2E\u241b2E', '\u241b00', '\u241b41']) {
    assert.equal(decode(stored), stored);
    assert.equal(encode(stored), stored);
  }
});
