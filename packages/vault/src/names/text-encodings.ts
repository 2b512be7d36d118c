/** How encrypted names become text: the `filename_encoding` of rclone. */
export type NameEncoding = 'base32' | 'base64' | 'base32768';

export interface TextEncoding {
  encode(bytes: Uint8Array): string;
  /** Returns undefined for text that is not of this encoding. */
  decode(text: string): Uint8Array | undefined;
}

/** Encodes `width` bits a letter, without padding (RFC 4648, sections 5 and 7). */
function letters(alphabet: string, width: number, fold: (text: string) => string): TextEncoding {
  const codes = new Int8Array(128).fill(-1);
  for (let index = 0; index < alphabet.length; index++) codes[alphabet.charCodeAt(index)] = index;
  const mask = (1 << width) - 1;
  return {
    encode(bytes) {
      let [text, value, bits] = ['', 0, 0];
      for (const byte of bytes) {
        value = (value << 8) | byte;
        for (bits += 8; bits >= width; bits -= width) text += alphabet[(value >>> (bits - width)) & mask] ?? '';
        value &= (1 << bits) - 1;
      }
      return bits === 0 ? text : text + (alphabet[(value << (width - bits)) & mask] ?? '');
    },
    decode(text) {
      const folded = fold(text);
      // The last letter completes no byte: the text is invalid.
      if ((folded.length * width) % 8 >= width) return undefined;
      const bytes = new Uint8Array(Math.floor((folded.length * width) / 8));
      let [value, bits, at] = [0, 0, 0];
      for (let index = 0; index < folded.length; index++) {
        const code = codes[folded.charCodeAt(index)] ?? -1;
        if (code < 0) return undefined;
        value = (value << width) | code;
        bits += width;
        if (bits < 8) continue;
        bits -= 8;
        bytes[at++] = value >>> bits;
        value &= (1 << bits) - 1;
      }
      return bytes;
    },
  };
}

/** Blocks of 32 characters; the number of a block is its first code point divided by 32. Starts and lengths of runs of blocks, hexadecimal. */
const runs =
  '25 28 34-2 3b-2 3e 80 85 88-3 8c 8f-3 93 97 99 9d-2 a1-12 b5-2 bc c1-2 c6 cc cf d1 de e0 e8 10f 116 11a-5 120 128-13 13c-2 140-c 14d ' +
  '151-2 154-2 157-4 160 164-3 168 16a 175-2 18e 1a0-cd 26e-290 500-24 525 528-8 532 535-2 538-3 53c 542';
const blocksOf = (text: string): number[] =>
  text.split(' ').flatMap((run) => {
    const [start = 0, length = 1] = run.split('-').map((number) => Number.parseInt(number, 16));
    return Array.from({ length }, (_, index) => start + index);
  });
/** A character of `wide` holds 15 bits; up to 7 remaining bits take one of `narrow`. Unused bits are ones. */
const [wide, narrow] = [blocksOf(runs), blocksOf('c 12-3')];
const values = new Map(
  [wide, narrow].flatMap((blocks, index) => blocks.map((block, at) => [block, { at, width: index === 0 ? 15 : 7 }] as const)),
);

/** rclone's "safe" alphabet: characters that no file system normalises or refuses. */
const base32768: TextEncoding = {
  encode(bytes) {
    let [text, value, bits] = ['', 0, 0];
    const add = (filled: number, blocks: readonly number[]): void => {
      text += String.fromCharCode((blocks[filled >> 5] ?? 0) * 32 + (filled & 31));
    };
    for (const byte of bytes) {
      value = (value << 8) | byte;
      bits += 8;
      if (bits < 15) continue;
      bits -= 15;
      add(value >>> bits, wide);
      value &= (1 << bits) - 1;
    }
    const missing = (bits <= 7 ? 7 : 15) - bits;
    if (bits > 0) add((value << missing) | ((1 << missing) - 1), bits <= 7 ? narrow : wide);
    return text;
  },
  decode(text) {
    const bytes: number[] = [];
    let [value, bits] = [0, 0];
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      const found = values.get(code >> 5);
      if (!found || (found.width === 7 && index !== text.length - 1)) return undefined;
      value = (value << found.width) | (found.at << 5) | (code & 31);
      bits += found.width;
      while (bits >= 8) {
        bits -= 8;
        bytes.push((value >>> bits) & 255);
        value &= (1 << bits) - 1;
      }
    }
    return value === (1 << bits) - 1 ? Uint8Array.from(bytes) : undefined;
  },
};

const digits = '0123456789';
const small = 'abcdefghijklmnopqrstuvwxyz';

export const textEncodings: Readonly<Record<NameEncoding, TextEncoding>> = {
  base32: letters(digits + small.slice(0, 22), 5, (text) => text.toLowerCase()),
  base64: letters(`${small.toUpperCase()}${small}${digits}-_`, 6, (text) => text),
  base32768,
};
