import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeName, encodeName } from './name-bytes.ts';

test('UTF-8 names are themselves', () => {
  for (const name of ['plain', 'Café', 'Cafe\u0301', '漢字', '👩‍👩‍👧']) assert.equal(decodeName(Buffer.from(name)), name);
});

test('any bytes come back from their name', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => encodeName(decodeName(Buffer.from(bytes))).equals(Buffer.from(bytes))),
  );
});

test('two sequences of bytes never share a name', () => {
  const latin1 = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
  const marked = Buffer.from(decodeName(latin1), 'utf8');
  assert.notEqual(decodeName(latin1), decodeName(marked));
  assert.ok(encodeName(decodeName(marked)).equals(marked));
});

test('a name of bytes that are no UTF-8 can stand in an address', () => {
  const name = decodeName(Buffer.from([0xff, 0x20, 0xc3]));
  assert.equal(decodeURIComponent(encodeURIComponent(name)), name);
});
