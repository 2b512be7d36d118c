import { unsafe } from '@noble/ciphers/aes.js';

const blockSize = 16;
/** Number of 32-bit words in a block. */
const width = 4;
/** Maximum size of a padded name, in bytes: EME is defined for at most 128 blocks. */
export const longestName = 128 * blockSize;

/** Replaces the four words from index `at`. */
type Apply = (words: Uint32Array, at: number) => void;

/** AES-256-EME (Halevi and Rogaway, "A Parallelizable Enciphering Mode", 2003) with one key of 32 bytes and one tweak of 16. */
export function createEme(key: Uint8Array, tweak: Uint8Array) {
  const encryption = unsafe.expandKeyLE(key);
  const decryption = unsafe.expandKeyDecLE(key);
  const tweakWords = wordsOf(tweak);
  const through =
    (work: typeof unsafe.encrypt, expanded: Uint32Array): Apply =>
    (words, at) => {
      const { s0, s1, s2, s3 } = work(expanded, words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0);
      words[at] = s0;
      words[at + 1] = s1;
      words[at + 2] = s2;
      words[at + 3] = s3;
    };
  const [encrypt, decrypt] = [through(unsafe.encrypt, encryption), through(unsafe.decrypt, decryption)];

  /** Cache of 2 · L, 4 · L, …, for the longest name so far. */
  let masks = new Uint32Array(0);
  const step = new Uint32Array(width);
  encrypt(step, 0);
  function masksFor(length: number): Uint32Array {
    if (masks.length >= length) return masks;
    const longer = new Uint32Array(length);
    longer.set(masks);
    for (let at = masks.length; at < length; at += width) {
      double(step);
      longer.set(step, at);
    }
    masks = longer;
    return masks;
  }

  function transform(input: Uint8Array, apply: Apply): Uint8Array {
    if (input.length === 0 || input.length % blockSize !== 0 || input.length > longestName)
      throw new RangeError('EME takes 1 to 128 whole blocks.');
    const words = wordsOf(input);
    const mask = masksFor(words.length);
    const middle = Uint32Array.from(tweakWords);
    for (let at = 0; at < words.length; at += width) {
      xor(words, at, mask, at);
      apply(words, at);
      xor(middle, 0, words, at);
    }
    const sum = Uint32Array.from(middle);
    apply(sum, 0);
    xor(middle, 0, sum, 0);
    xor(sum, 0, tweakWords, 0);
    for (let at = width; at < words.length; at += width) {
      double(middle);
      xor(words, at, middle, 0);
      xor(sum, 0, words, at);
    }
    words.set(sum);
    for (let at = 0; at < words.length; at += width) {
      apply(words, at);
      xor(words, at, mask, at);
    }
    return new Uint8Array(words.buffer);
  }

  return {
    encrypt: (input: Uint8Array): Uint8Array => transform(input, encrypt),
    decrypt: (input: Uint8Array): Uint8Array => transform(input, decrypt),
  };
}

/** Copies bytes into words; little-endian machines only. */
function wordsOf(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(bytes.length / 4);
  new Uint8Array(words.buffer).set(bytes);
  return words;
}

function xor(target: Uint32Array, at: number, other: Uint32Array, from: number): void {
  for (let index = 0; index < width; index++) target[at + index] = (target[at + index] ?? 0) ^ (other[from + index] ?? 0);
}

/** Doubles in GF(2^128), in place; the first bit is the lowest. */
function double(words: Uint32Array): void {
  let carry = (words[width - 1] ?? 0) >>> 31 === 1 ? 135 : 0;
  for (let index = 0; index < width; index++) {
    const word = words[index] ?? 0;
    words[index] = (word << 1) ^ carry;
    carry = word >>> 31;
  }
}
