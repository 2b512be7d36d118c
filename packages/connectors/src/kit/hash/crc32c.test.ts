import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32c } from './crc32c.ts';

const hashOf = (...chunks: readonly Uint8Array[]): string => {
  const hash = crc32c();
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest();
};
const fromHex = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

test('CRC-32C gives the values of RFC 3720, appendix B.4', () => {
  assert.equal(hashOf(Buffer.alloc(32)), fromHex('8a9136aa'));
  assert.equal(hashOf(Buffer.alloc(32, 0xff)), fromHex('62a8ab43'));
  assert.equal(hashOf(Buffer.from(Array.from({ length: 32 }, (_, index) => index))), fromHex('46dd794e'));
  assert.equal(hashOf(Buffer.from('123456789')), fromHex('e3069283'));
  assert.equal(hashOf(), fromHex('00000000'));
});

test('CRC-32C does not depend on how the bytes are split', () => {
  const bytes = Buffer.from(Array.from({ length: 100 }, (_, index) => (index * 37) % 256));
  for (const cut of [1, 7, 8, 9, 50, 99]) assert.equal(hashOf(bytes.subarray(0, cut), bytes.subarray(cut)), hashOf(bytes));
  // At every alignment in memory.
  for (const lead of [1, 2, 3, 4, 5]) {
    const moved = new Uint8Array(new ArrayBuffer(128), lead, 100);
    moved.set(bytes);
    assert.equal(hashOf(moved), hashOf(bytes));
  }
});
