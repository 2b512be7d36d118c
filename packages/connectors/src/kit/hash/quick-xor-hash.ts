import type { RunningHash } from './content-hash.ts';

/** Bits of the hash, and the shift per byte. As 11 and 160 are coprime, byte 160 lands where byte 0 did. */
const width = 160;
const shift = 11;
const columns = width / 4;

/**
 * OneDrive's hash of a file (https://learn.microsoft.com/onedrive/developer/code-snippets/quickxorhash): byte `i` is XORed into a ring of
 * 160 bits at bit `11 i`, and at the end the length into its last 64 bits. Bytes that land on the same position are first XORed with each
 * other, four at a time; the shift is applied once, at the end. Returns base64.
 */
export function quickXorHash(): RunningHash {
  const cells = new Uint8Array(width);
  let length = 0;

  function fold(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      const cell = (length + at) % width;
      cells[cell] = byteAt(cells, cell) ^ byteAt(bytes, at);
    }
    length += bytes.length;
  }

  return {
    update(chunk) {
      // Words can only be read from aligned memory.
      const lead = Math.min(chunk.length, (4 - (chunk.byteOffset % 4)) % 4);
      const rows = Math.floor((chunk.length - lead) / width);
      fold(chunk.subarray(0, lead));
      if (rows > 0) {
        const sums = sumsOf(new Int32Array(chunk.buffer, chunk.byteOffset + lead, rows * columns));
        fold(new Uint8Array(sums.buffer));
        length += (rows - 1) * width;
      }
      fold(chunk.subarray(lead + rows * width));
    },
    digest() {
      const ring = Buffer.alloc(width / 8);
      const add = (at: number, bits: number) => {
        const place = at % ring.length;
        ring[place] = byteAt(ring, place) ^ bits;
      };
      for (let cell = 0; cell < width; cell++) {
        const bit = (cell * shift) % width;
        const spread = byteAt(cells, cell) << (bit % 8);
        add(bit >> 3, spread & 0xff);
        add((bit >> 3) + 1, spread >> 8);
      }
      const size = Buffer.alloc(8);
      size.writeBigUInt64LE(BigInt(length));
      for (const [at, bits] of size.entries()) add(ring.length - size.length + at, bits);
      return ring.toString('base64');
    },
  };
}

/** Returns the byte at an index known to be in range. */
const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] as number;
const wordAt = (words: Int32Array, at: number): number => words[at] as number;

/** Returns the XOR of each of the 40 columns. Eight at a time stay in CPU registers. */
function sumsOf(words: Int32Array): Int32Array<ArrayBuffer> {
  const sums = new Int32Array(columns);
  for (let column = 0; column < columns; column += 8) {
    let [a, b, c, d] = [0, 0, 0, 0];
    let [e, f, g, h] = [0, 0, 0, 0];
    for (let at = column; at < words.length; at += columns) {
      a ^= wordAt(words, at);
      b ^= wordAt(words, at + 1);
      c ^= wordAt(words, at + 2);
      d ^= wordAt(words, at + 3);
      e ^= wordAt(words, at + 4);
      f ^= wordAt(words, at + 5);
      g ^= wordAt(words, at + 6);
      h ^= wordAt(words, at + 7);
    }
    sums.set([a, b, c, d, e, f, g, h], column);
  }
  return sums;
}
