import { hsalsa } from '@noble/ciphers/salsa.js';
import { assemble, instantiate } from '../wasm/assembler.ts';
import { poly1305 } from '../wasm/poly1305.ts';
import { salsa20 } from '../wasm/salsa20.ts';

/** Size in bytes of the authentication tag, which precedes the encrypted bytes. */
export const tagSize = 16;
/** Maximum size of a message, in bytes. */
const largest = 65_536;

const at = { salsa: 0, four: 256, poly: 272, whole: 392, padded: 400, text: 1024 };
/** NaCl takes the one-time key from the first half block of the stream, so messages begin in the second half. */
const message = at.text + 32;

const sigma = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);
/** Indices of the words of a Salsa20 state that hold the constants, the key, the nonce and the counter. */
const [constants, keys, nonces, counter] = [[0, 5, 10, 15], [1, 2, 3, 4, 11, 12, 13, 14], [6, 7], 8] as const;

const littleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
const wordsOf = (bytes: Uint8Array): Uint32Array => {
  const copy = new Uint32Array(bytes.length / 4);
  new Uint8Array(copy.buffer).set(bytes);
  return copy;
};

/**
 * XSalsa20-Poly1305 as NaCl's secretbox (Bernstein, "Cryptography in NaCl", sections 9 and 10), for messages of up to 65,536 bytes. The inner
 * loops run in a WebAssembly module that `wasm/` assembles. Throws where SIMD is missing, or on a big-endian machine.
 */
export function createSecretBox() {
  if (!littleEndian) throw new Error('Vaults need a little-endian processor.');
  const wasm = assemble(
    [salsa20(at.salsa, at.four), poly1305(at.poly, at.whole), { ...poly1305(at.poly, at.padded), name: 'poly1305Padded' }],
    2,
  );
  const exports = instantiate(wasm) as {
    memory: { buffer: ArrayBuffer };
    salsa20(at: number, groups: number): void;
    poly1305(at: number, blocks: number): void;
    poly1305Padded(at: number, blocks: number): void;
  };
  const { buffer } = exports.memory;
  const bytes = new Uint8Array(buffer);
  const words = new Uint32Array(buffer);
  const longs = new BigUint64Array(buffer);
  words.fill(4, at.four / 4, at.four / 4 + 4);
  longs[at.whole / 8] = 1n << 24n;
  const subkey = new Uint32Array(8);

  /** Sets the state to the beginning of the stream of a key and a nonce of 24 bytes. */
  function begin(key: Uint32Array, nonce: Uint8Array): void {
    const parts = wordsOf(nonce);
    hsalsa(sigma, key, parts.subarray(0, 4), subkey);
    const lane = (word: number, value: number): void => void words.fill(value, at.salsa / 4 + word * 4, at.salsa / 4 + word * 4 + 4);
    constants.forEach((word, index) => lane(word, sigma[index] ?? 0));
    keys.forEach((word, index) => lane(word, subkey[index] ?? 0));
    nonces.forEach((word, index) => lane(word, parts[4 + index] ?? 0));
    lane(9, 0);
    for (let block = 0; block < 4; block++) words[at.salsa / 4 + counter * 4 + block] = block;
    bytes.fill(0, at.text, message);
  }

  /** XORs the text area with the stream; the one-time key ends up before the message. */
  const combine = (size: number): void => exports.salsa20(at.text, Math.ceil((size + 32) / 256));

  /** Computes the tag of the bytes at `message` with the one-time key that precedes them. */
  function tagOf(size: number, key: Uint8Array): Uint8Array {
    const clamped = key.slice(0, 16);
    for (const index of [3, 7, 11, 15]) clamped[index] = (clamped[index] ?? 0) & 15;
    for (const index of [4, 8, 12]) clamped[index] = (clamped[index] ?? 0) & 252;
    const limbs = limbsOf(numberOf(clamped));
    limbs.forEach((limb, index) => {
      const first = at.poly / 8 + index;
      longs[first] = 0n;
      longs[first + 5] = limb;
      longs[first + 10] = limb * 5n;
    });
    const whole = Math.floor(size / 16);
    if (whole > 0) exports.poly1305(message, whole);
    if (size % 16 > 0) {
      const last = message + whole * 16;
      const end = message + size;
      const kept = bytes.slice(end, last + 16);
      bytes.fill(0, end, last + 16);
      bytes[end] = 1;
      exports.poly1305Padded(last, 1);
      bytes.set(kept, end);
    }
    let sum = 0n;
    for (let index = 4; index >= 0; index--) sum = (sum << 26n) + (longs[at.poly / 8 + index] ?? 0n);
    return bytesOf(((sum % prime) + numberOf(key.subarray(16, 32))) & (2n ** 128n - 1n));
  }

  return {
    /** Writes the tag and the encrypted message to `out`, which must be 16 bytes longer than `plain`. `key`: eight words. */
    seal(key: Uint32Array, nonce: Uint8Array, plain: Uint8Array, out: Uint8Array): void {
      if (plain.length > largest) throw new RangeError('A box is too large.');
      begin(key, nonce);
      bytes.set(plain, message);
      combine(plain.length);
      const tag = tagOf(plain.length, bytes.slice(at.text, message));
      out.set(tag);
      out.set(bytes.subarray(message, message + plain.length), tagSize);
    },

    /** Decrypts a box into `out`, which is 16 bytes shorter, and returns true. Returns false, and leaves `out` unchanged, if any bit is wrong. */
    open(key: Uint32Array, nonce: Uint8Array, box: Uint8Array, out: Uint8Array): boolean {
      const size = box.length - tagSize;
      if (size < 0 || size > largest) return false;
      begin(key, nonce);
      exports.salsa20(at.text, 1);
      const oneTime = bytes.slice(at.text, message);
      bytes.set(box.subarray(tagSize), message);
      const tag = tagOf(size, oneTime);
      let difference = 0;
      for (let index = 0; index < tagSize; index++) difference |= (tag[index] ?? 0) ^ (box[index] ?? 0);
      if (difference !== 0) return false;
      for (let block = 0; block < 4; block++) words[at.salsa / 4 + counter * 4 + block] = block;
      combine(size);
      out.set(bytes.subarray(message, message + size));
      return true;
    },

    /** Overwrites the remains of the last message and key in memory. */
    wipe(): void {
      bytes.fill(0, at.text);
      bytes.fill(0, at.salsa, at.four);
      bytes.fill(0, at.poly, at.whole);
      subkey.fill(0);
    },
  };
}

const prime = 2n ** 130n - 5n;

function numberOf(littleEndianBytes: Uint8Array): bigint {
  const [low = 0n, high = 0n] = new BigUint64Array(littleEndianBytes.slice().buffer as ArrayBuffer);
  return (high << 64n) | low;
}
const bytesOf = (number: bigint): Uint8Array => new Uint8Array(BigUint64Array.of(number & (2n ** 64n - 1n), number >> 64n).buffer);
const limbsOf = (number: bigint): bigint[] => [0n, 1n, 2n, 3n, 4n].map((index) => (number >> (index * 26n)) & 0x3ffffffn);
