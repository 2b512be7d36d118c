import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isDamage } from './damage.ts';
import { createFiles, nonceOfHeader } from './files.ts';
import { clearSize, nonceOf, sealedSize } from './format.ts';

const files = createFiles(Uint8Array.from({ length: 32 }, (_, index) => index));
const nonce = new Uint8Array(24).fill(255);
const bytes = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, index) => (index * 7 + (index >> 9)) & 255);

async function open(sealed: Uint8Array, start = 0, end = Number.MAX_SAFE_INTEGER): Promise<Uint8Array> {
  const parts: number[] = [];
  async function* source(from: number, length: number) {
    yield sealed.subarray(from, from + length);
  }
  const used = nonceOfHeader(sealed.subarray(0, 32));
  for await (const part of files.read(source, { size: sealed.length, nonce: used, start, end })) parts.push(...part);
  return Uint8Array.from(parts);
}
const damageOf = async (sealed: Uint8Array): Promise<string> => {
  try {
    await open(sealed);
    return 'none';
  } catch (error) {
    if (isDamage(error)) return error.damage;
    throw error;
  }
};

test('clear sizes follow from encrypted sizes, and impossible sizes are recognised', () => {
  for (const size of [0, 1, 65_535, 65_536, 65_537, 10_737_418_240]) assert.equal(clearSize(sealedSize(size)), size);
  for (const size of [0, 31, 33, 48, 32 + 65_552 + 16]) assert.equal(clearSize(size), undefined);
});

test('the nonce of a block is the nonce of the file plus the number of the block', () => {
  const number = (from: Uint8Array): bigint => from.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const property = fc.property(fc.uint8Array({ minLength: 24, maxLength: 24 }), fc.maxSafeNat(), (start, block) => {
    assert.equal(number(nonceOf(start, block)), (number(start) + BigInt(block)) % 2n ** 192n);
  });
  fc.assert(property, {
    examples: [
      [nonce, 1],
      [nonce, 2 ** 40],
    ],
  });
});

test('nothing is sealed or opened after the key is wiped', async () => {
  const other = createFiles(new Uint8Array(32).fill(7));
  const sealed = other.seal(nonce, bytes(10));
  other.wipe();
  assert.throws(() => other.seal(nonce, bytes(10)), /locked/);
  const range = { size: sealed.length, nonce, start: 0, end: 10 };
  async function* source() {
    yield sealed.subarray(32);
  }
  await assert.rejects(other.read(source, range).next(), /locked/);
});

test('any range of a file can be read on its own', async () => {
  const clear = bytes(200_000);
  const sealed = files.seal(nonce, clear);
  for (const [start, end] of [
    [0, 1],
    [65_535, 65_537],
    [65_536, 131_072],
    [131_071, 199_999],
    [199_999, 200_000],
    [5, 5],
  ] as const)
    assert.deepEqual(await open(sealed, start, end), clear.slice(start, end));
});

test('flipped bytes, a cut and swapped blocks are errors', async () => {
  const sealed = files.seal(nonce, bytes(300));
  for (let index = 0; index < sealed.length; index++) {
    const changed = sealed.slice();
    changed[index] = (changed[index] ?? 0) ^ 64;
    assert.equal(await damageOf(changed), index < 8 ? 'foreign' : 'block');
  }
  for (const size of [33, 40, 48]) assert.equal(await damageOf(sealed.subarray(0, size)), 'cut');
  for (const size of [49, 200, sealed.length - 1]) assert.equal(await damageOf(sealed.subarray(0, size)), 'block');

  const large = files.seal(nonce, bytes(3 * 65_536));
  const swapped = large.slice();
  swapped.set(large.subarray(32, 32 + 65_552), 32 + 65_552);
  swapped.set(large.subarray(32 + 65_552, 32 + 2 * 65_552), 32);
  assert.equal(await damageOf(swapped), 'block');
});
