import assert from 'node:assert/strict';
import { test } from 'node:test';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import fc from 'fast-check';
import { createSecretBox, tagSize } from './secretbox.ts';

const box = createSecretBox();
const bytesOf = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
const keyOf = (key: Uint8Array) => new Uint32Array(key.slice().buffer);

test('boxes of every size match those of NaCl', () => {
  const property = fc.property(bytesOf(32), bytesOf(24), fc.integer({ min: 0, max: 1200 }), fc.nat(), (key, nonce, size, seed) => {
    const plain = Uint8Array.from({ length: size }, (_, index) => (index * 167 + seed) >>> (index % 5));
    const sealed = new Uint8Array(size + tagSize);
    box.seal(keyOf(key), nonce, plain, sealed);
    assert.deepEqual(sealed, xsalsa20poly1305(key, nonce).encrypt(plain));
    const opened = new Uint8Array(size);
    assert.ok(box.open(keyOf(key), nonce, sealed, opened));
    assert.deepEqual(opened, plain);
  });
  fc.assert(property, { numRuns: 400 });
});

test('Poly1305 carries are right for extreme numbers', () => {
  for (const size of [0, 15, 16, 17, 31, 32, 33, 65_535, 65_536])
    for (const value of [0, 255]) {
      const [key, nonce, plain] = [new Uint8Array(32).fill(value), new Uint8Array(24).fill(value), new Uint8Array(size).fill(value)];
      const sealed = new Uint8Array(size + tagSize);
      box.seal(keyOf(key), nonce, plain, sealed);
      assert.deepEqual(sealed, xsalsa20poly1305(key, nonce).encrypt(plain), `${size} times ${value}`);
    }
  assert.throws(() => box.seal(new Uint32Array(8), new Uint8Array(24), new Uint8Array(65_537), new Uint8Array(65_553)), RangeError);
});

test('a flipped bit of a box, its key or its nonce is an error, and nothing is decrypted', () => {
  const [key, nonce, plain] = [Uint32Array.from({ length: 8 }, (_, i) => i * 77), new Uint8Array(24).fill(9), new Uint8Array(70).fill(5)];
  const sealed = new Uint8Array(86);
  box.seal(key, nonce, plain, sealed);
  const out = new Uint8Array(70);
  for (let bit = 0; bit < 86 * 8; bit++) {
    const changed = sealed.slice();
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(box.open(key, nonce, changed, out), false);
  }
  assert.equal(box.open(key, new Uint8Array(24), sealed, out), false);
  assert.equal(box.open(new Uint32Array(8), nonce, sealed, out), false);
  for (let size = 0; size < 86; size++)
    assert.equal(box.open(key, nonce, sealed.subarray(0, size), out.subarray(0, Math.max(0, size - 16))), false);
  assert.ok(out.every((byte) => byte === 0));
});
