import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { segmentOf } from '../../core/segment.ts';
import { decodeName, encodeName } from './name-bytes.ts';

test('UTF-8 names are unchanged', () => {
  for (const name of ['plain', 'Café', 'Cafe\u0301', '漢字', '👩‍👩‍👧']) assert.equal(decodeName(Buffer.from(name)), name);
});

test('any bytes can be restored from their name', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 40 }).filter((bytes) => !bytes.some((byte) => byte === 0 || byte === 0x2e || byte === 0x2f)),
      (bytes) => encodeName(segmentOf(decodeName(Buffer.from(bytes)))).equals(Buffer.from(bytes)),
    ),
  );
});

test('two sequences of bytes never share a name', () => {
  const latin1 = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
  const marked = Buffer.from(decodeName(latin1), 'utf8');
  assert.notEqual(decodeName(latin1), decodeName(marked));
  assert.ok(encodeName(segmentOf(decodeName(marked))).equals(marked));
});

test('a name of bytes that are not UTF-8 can be part of an address', () => {
  const name = decodeName(Buffer.from([0xff, 0x20, 0xc3]));
  assert.equal(decodeURIComponent(encodeURIComponent(name)), name);
});

test('only bytes from 80 to FF have marks: marks for ASCII are ordinary characters', () => {
  for (let code = 0x10_fe_00; code < 0x10_fe_80; code++) {
    const name = `a${String.fromCodePoint(code)}`;
    assert.ok(encodeName(segmentOf(name)).equals(Buffer.from(name)));
    assert.equal(decodeName(Buffer.from(name)), name);
  }
});

test('a name has one spelling: marks for valid UTF-8 are rejected', () => {
  const accented = String.fromCodePoint(0x10_fe_c3, 0x10_fe_a9);
  assert.throws(() => encodeName(segmentOf(accented)), { kind: 'badName' });
});
