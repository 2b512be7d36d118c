import { endianness } from 'node:os';

/** The polynomial of CRC-32C (RFC 3720, appendix B.4), bit-reversed. */
const polynomial = 0x82f63b78;

function tableOf(previous: Uint32Array | undefined, first: Uint32Array | undefined): Uint32Array {
  if (previous && first) return previous.map((value) => (value >>> 8) ^ (first[value & 255] ?? 0));
  return new Uint32Array(256).map((_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? polynomial : 0);
    return value;
  });
}

/** Eight concatenated tables of 256 entries: the table for the last byte of eight comes first. */
let tables: Int32Array | undefined;

function makeTables(): Int32Array {
  const all = new Int32Array(8 * 256);
  let first: Uint32Array | undefined;
  let table: Uint32Array | undefined;
  for (let index = 0; index < 8; index++) {
    table = tableOf(table, first);
    first ??= table;
    all.set(table, index * 256);
  }
  return all;
}

/** Words are read in the machine's byte order, which is big-endian on a few. */
const readsWords = endianness() === 'LE';

/**
 * CRC-32C in base64 of its four bytes, big-endian, as Google Cloud Storage writes it. Processes two words per step, more than a GiB a
 * second.
 */
export function crc32c(): { update(chunk: Uint8Array): void; digest(): string } {
  const table = (tables ??= makeTables());
  let crc = -1;
  return {
    update(chunk) {
      // Words can be read only at aligned addresses.
      const lead = readsWords ? Math.min(chunk.byteLength, (4 - (chunk.byteOffset % 4)) % 4) : chunk.byteLength;
      const words = Math.floor((chunk.byteLength - lead) / 8) * 2;
      crc = byBytes(table, crc, chunk.subarray(0, lead));
      if (words > 0) crc = byWords(table, crc, new Int32Array(chunk.buffer, chunk.byteOffset + lead, words));
      crc = byBytes(table, crc, chunk.subarray(lead + words * 4));
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(~crc >>> 0);
      return bytes.toString('base64');
    },
  };
}

/** Element at an index known to be in range. */
const at = (memory: Int32Array | Uint8Array, index: number): number => memory[index] as number;

function byBytes(table: Int32Array, before: number, bytes: Uint8Array): number {
  let crc = before;
  for (let index = 0; index < bytes.length; index++) crc = (crc >>> 8) ^ at(table, (crc ^ at(bytes, index)) & 255);
  return crc;
}

function byWords(table: Int32Array, before: number, words: Int32Array): number {
  let crc = before;
  for (let index = 0; index < words.length; index += 2) {
    const low = crc ^ at(words, index);
    const high = at(words, index + 1);
    crc =
      at(table, 0x700 | (low & 255)) ^
      at(table, 0x600 | ((low >>> 8) & 255)) ^
      at(table, 0x500 | ((low >>> 16) & 255)) ^
      at(table, 0x400 | (low >>> 24)) ^
      at(table, 0x300 | (high & 255)) ^
      at(table, 0x200 | ((high >>> 8) & 255)) ^
      at(table, 0x100 | ((high >>> 16) & 255)) ^
      at(table, high >>> 24);
  }
  return crc;
}
