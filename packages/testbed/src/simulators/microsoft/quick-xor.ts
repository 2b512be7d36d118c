import type { Hasher } from '../kit/index.ts';

/**
 * OneDrive's hash: a ring of 160 bits, into which byte `i` is XORed at bit `11 i`, and at the end the length into the last 64 bits. Implemented
 * independently from its definition (https://learn.microsoft.com/onedrive/developer/code-snippets/quickxorhash), so that it shares no bug with a
 * client's.
 */
export const quickXor = (): Hasher => {
  // 4,000 bytes are 25 rounds of the ring: words at the same position are combined first.
  const words = new Uint32Array(1000);
  const places = new Uint8Array(words.buffer);
  let next = 0;
  let length = 0n;

  function joinBytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      places[next] = (places[next] ?? 0) ^ (bytes[at] ?? 0);
      next = next === places.length - 1 ? 0 : next + 1;
    }
  }
  return {
    update(bytes) {
      const ahead = Math.min(bytes.length, (places.length - next) % places.length);
      joinBytes(bytes.subarray(0, ahead));
      let at = ahead;
      for (; at + places.length <= bytes.length; at += places.length) {
        const block = bytes.subarray(at, at + places.length);
        const aligned = block.byteOffset % 4 === 0 ? block : Uint8Array.from(block);
        const more = new Uint32Array(aligned.buffer, aligned.byteOffset, words.length);
        for (let word = 0; word < words.length; word++) words[word] = (words[word] ?? 0) ^ (more[word] ?? 0);
      }
      joinBytes(bytes.subarray(at));
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
