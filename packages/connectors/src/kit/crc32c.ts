import type { RunningHash } from './content-hash.ts';

/** The polynomial of CRC-32C (RFC 3720, appendix B.4), its bits reversed. */
const polynomial = 0x82f63b78;

function tableOf(previous: Uint32Array | undefined, first: Uint32Array | undefined): Uint32Array {
  if (previous && first) return previous.map((value) => (value >>> 8) ^ (first[value & 255] ?? 0));
  return new Uint32Array(256).map((_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? polynomial : 0);
    return value;
  });
}

/** Eight tables of 256, one behind the other: that of the last byte of eight first. */
let tables: Uint32Array | undefined;

function makeTables(): Uint32Array {
  const all = new Uint32Array(8 * 256);
  let first: Uint32Array | undefined;
  let table: Uint32Array | undefined;
  for (let index = 0; index < 8; index++) {
    table = tableOf(table, first);
    first ??= table;
    all.set(table, index * 256);
  }
  return all;
}

/** CRC-32C in base64 of its four bytes, the highest first, as Google Cloud Storage writes it. Takes eight bytes at a step. */
export function crc32c(): RunningHash {
  const table = (tables ??= makeTables());
  const look = (place: number, byte: number): number => table[place * 256 + (byte & 255)] ?? 0;
  let crc = -1;
  return {
    update(chunk) {
      const whole = chunk.byteLength - (chunk.byteLength % 8);
      const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      for (let at = 0; at < whole; at += 8) {
        const [low, high] = [crc ^ view.getUint32(at, true), view.getUint32(at + 4, true)];
        const ofLow = look(7, low) ^ look(6, low >>> 8) ^ look(5, low >>> 16) ^ look(4, low >>> 24);
        crc = ofLow ^ look(3, high) ^ look(2, high >>> 8) ^ look(1, high >>> 16) ^ look(0, high >>> 24);
      }
      for (let at = whole; at < chunk.byteLength; at++) crc = (crc >>> 8) ^ look(0, crc ^ view.getUint8(at));
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(~crc >>> 0);
      return bytes.toString('base64');
    },
  };
}
