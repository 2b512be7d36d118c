import { createHash } from 'node:crypto';

/** A running content hash. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** Returns the hash in the provider's encoding. */
  digest(): string;
}

/** A hash algorithm of Node, encoded in hex or base64. */
export const nodeHash =
  (algorithm: 'md5' | 'sha1' | 'sha256', spelling: 'hex' | 'base64' = 'hex') =>
  (): Hasher => {
    const hash = createHash(algorithm);
    return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest(spelling) };
  };

let tables: Uint32Array[] | undefined;

/** CRC-32C (Castagnoli, RFC 3720 appendix B.4) in base64 of its big-endian bytes, as in Google Cloud Storage. Processes eight bytes per step. */
export const crc32c = (): Hasher => {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = (tables ??= makeTables());
  if (!t0 || !t1 || !t2 || !t3 || !t4 || !t5 || !t6 || !t7) throw new Error('eight tables are needed');
  const at = (table: Uint32Array, index: number): number => table[index & 0xff] ?? 0;
  let crc = 0xffffffff;
  return {
    update(bytes) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      let next = 0;
      for (; next + 8 <= bytes.length; next += 8) {
        const low = crc ^ view.getUint32(next, true);
        const high = view.getUint32(next + 4, true);
        crc =
          at(t7, low) ^
          at(t6, low >>> 8) ^
          at(t5, low >>> 16) ^
          at(t4, low >>> 24) ^
          at(t3, high) ^
          at(t2, high >>> 8) ^
          at(t1, high >>> 16) ^
          at(t0, high >>> 24);
      }
      for (; next < bytes.length; next++) crc = at(t0, crc ^ view.getUint8(next)) ^ (crc >>> 8);
    },
    digest() {
      const out = Buffer.alloc(4);
      out.writeUInt32BE(~crc >>> 0);
      return out.toString('base64');
    },
  };
};

function makeTables(): Uint32Array[] {
  const first = Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
    return value >>> 0;
  });
  const all = [first];
  for (let table = 1; table < 8; table++) {
    const previous = all[table - 1] ?? first;
    all.push(previous.map((value) => ((first[value & 0xff] ?? 0) ^ (value >>> 8)) >>> 0));
  }
  return all;
}
