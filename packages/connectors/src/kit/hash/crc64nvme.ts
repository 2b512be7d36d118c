/**
 * CRC-64/NVME (NVM Express NVM Command Set Specification, section 5.2.1.3.4), which S3 uses for whole objects: the polynomial bit-reversed,
 * as its upper and lower 32 bits.
 */
const polynomial = { high: 0x9a6c9329, low: 0xac4bc9b5 } as const;

/** Eight concatenated tables of 256 entries for each half: the table for the last byte of eight comes first. */
interface Tables {
  readonly high: Int32Array;
  readonly low: Int32Array;
}

let tables: Tables | undefined;

/** Element at an index known to be in range. */
const at = (memory: Int32Array | Uint8Array, index: number): number => memory[index] as number;

function makeTables(): Tables {
  const high = new Int32Array(8 * 256);
  const low = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let [upper, lower] = [0, byte];
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = (lower & 1) !== 0;
      lower = (lower >>> 1) | (upper << 31);
      upper >>>= 1;
      if (isOdd) [upper, lower] = [upper ^ polynomial.high, lower ^ polynomial.low];
    }
    high[byte] = upper;
    low[byte] = lower;
  }
  for (let index = 256; index < high.length; index++) {
    const [upper, lower] = [at(high, index - 256), at(low, index - 256)];
    high[index] = (upper >>> 8) ^ at(high, lower & 255);
    low[index] = ((lower >>> 8) | (upper << 24)) ^ at(low, lower & 255);
  }
  return { high, low };
}

/** CRC-64/NVME in hexadecimal, most significant byte first. */
export function crc64nvme(): { update(chunk: Uint8Array): void; digest(): string } {
  const { high, low } = (tables ??= makeTables());
  let [upper, lower] = [-1, -1];

  return {
    update(chunk) {
      const end = chunk.length - (chunk.length % 8);
      let index = 0;
      for (; index < end; index += 8) {
        const a = 0x700 + ((lower ^ at(chunk, index)) & 255);
        const b = 0x600 + (((lower >>> 8) ^ at(chunk, index + 1)) & 255);
        const c = 0x500 + (((lower >>> 16) ^ at(chunk, index + 2)) & 255);
        const d = 0x400 + ((lower >>> 24) ^ at(chunk, index + 3));
        const e = 0x300 + ((upper ^ at(chunk, index + 4)) & 255);
        const f = 0x200 + (((upper >>> 8) ^ at(chunk, index + 5)) & 255);
        const g = 0x100 + (((upper >>> 16) ^ at(chunk, index + 6)) & 255);
        const h = (upper >>> 24) ^ at(chunk, index + 7);
        upper = at(high, a) ^ at(high, b) ^ at(high, c) ^ at(high, d) ^ at(high, e) ^ at(high, f) ^ at(high, g) ^ at(high, h);
        lower = at(low, a) ^ at(low, b) ^ at(low, c) ^ at(low, d) ^ at(low, e) ^ at(low, f) ^ at(low, g) ^ at(low, h);
      }
      for (; index < chunk.length; index++) {
        const cell = (lower ^ at(chunk, index)) & 255;
        lower = ((lower >>> 8) | (upper << 24)) ^ at(low, cell);
        upper = (upper >>> 8) ^ at(high, cell);
      }
    },
    digest: () => [~upper, ~lower].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join(''),
  };
}
