import { isUtf8 } from 'node:buffer';

/**
 * Names of servers that keep bytes (SFTP version 3, FTP) as text and back. UTF-8 is read as such; each byte that is no part of UTF-8 becomes one character of a
 * private-use range, and so does each byte of a character of that very range, so that every sequence of bytes has exactly one name and comes back from it unharmed.
 */
const base = 0x10_fe_00;
const marked = /[\u{10fe00}-\u{10feff}]/u;

export function decodeName(bytes: Buffer): string {
  if (isUtf8(bytes)) {
    const text = bytes.toString('utf8');
    return marked.test(text) ? decodeBytes(bytes) : text;
  }
  return decodeBytes(bytes);
}

export function encodeName(name: string): Buffer {
  if (!marked.test(name)) return Buffer.from(name, 'utf8');
  return Buffer.concat(
    Array.from(name, (char) => (marked.test(char) ? Buffer.of((char.codePointAt(0) ?? base) - base) : Buffer.from(char, 'utf8'))),
  );
}

function decodeBytes(bytes: Buffer): string {
  let name = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes[at] ?? 0);
    const piece = bytes.subarray(at, at + length);
    const text = piece.length === length && isUtf8(piece) ? piece.toString('utf8') : undefined;
    if (text !== undefined && !marked.test(text)) {
      name += text;
      at += length;
    } else {
      name += String.fromCodePoint(base + (bytes[at] ?? 0));
      at += 1;
    }
  }
  return name;
}

/** Bytes of the UTF-8 sequence that begins with this one: RFC 3629, 3. */
function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
