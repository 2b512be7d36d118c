import type { Hasher } from '../kit/index.ts';

/**
 * OneDrive's hash: a ring of 160 bits, into which byte `i` is XORed at bit `11 i`, and in the end the length at the last 64 bits. Written from its definition
 * (https://learn.microsoft.com/onedrive/developer/code-snippets/quickxorhash), so that it agrees with a client's by being right only.
 */
export const quickXor = (): Hasher => {
  const places = new Uint8Array(160);
  let next = 0;
  let length = 0n;
  return {
    update(bytes) {
      for (const byte of bytes) {
        places[next] = (places[next] ?? 0) ^ byte;
        next = next === 159 ? 0 : next + 1;
      }
      length += BigInt(bytes.length);
    },
    digest() {
      const all = (1n << 160n) - 1n;
      let ring = length << 96n;
      for (const [at, byte] of places.entries()) {
        const spread = BigInt(byte) << BigInt((at * 11) % 160);
        ring ^= (spread & all) ^ (spread >> 160n);
      }
      return Buffer.from(ring.toString(16).padStart(40, '0'), 'hex').reverse().toString('base64');
    },
  };
};
