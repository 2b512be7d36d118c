import { isUtf8 } from 'node:buffer';
import { ConnectorError } from '../../core/error.ts';
import { type Segment, segmentOf } from '../../core/segment.ts';

/**
 * Converts names of servers that store bytes (SFTP version 3, FTP) to text and back. Decodes UTF-8. Each byte from 80 to FF outside of
 * valid UTF-8 becomes one character of a private-use range, and so does each byte of a character of that range, so that every sequence of
 * bytes has exactly one name. ASCII is never marked: U+10FE2E must not become a dot, nor U+10FE2F a slash.
 */
const base = 0x10_fe_00;
const marked = /[\u{10fe80}-\u{10feff}]/u;

export function decodeName(bytes: Buffer): string {
  if (isUtf8(bytes)) {
    const text = bytes.toString('utf8');
    return marked.test(text) ? decodeBytes(bytes) : text;
  }
  return decodeBytes(bytes);
}

/**
 * Returns the bytes of a name. Throws `badName` for marks that form valid UTF-8: each item has only one name, and for those bytes it is
 * another one.
 */
export function encodeName(name: Segment): Buffer {
  if (!marked.test(name)) return Buffer.from(name, 'utf8');
  const bytes = Buffer.concat(
    Array.from(name, (char) => (marked.test(char) ? Buffer.of((char.codePointAt(0) ?? base) - base) : Buffer.from(char, 'utf8'))),
  );
  if (decodeName(bytes) !== name) throw new ConnectorError('badName', 'the name is not spelled as the server lists it');
  return bytes;
}

/**
 * Returns the bytes of a start folder, which may contain `.` and `..`: it belongs to the link's settings, and no request can change it.
 * Throws `badName` for a path that no server can store.
 */
export const encodeStartFolder = (path: string): Buffer =>
  Buffer.concat(
    path
      .split('/')
      .flatMap((part, index) => [
        ...(index === 0 ? [] : [slash]),
        part === '' || part === '.' || part === '..' ? Buffer.from(part) : encodeName(segmentOf(part)),
      ]),
  );
const slash = Buffer.from('/');

/** Returns the bytes of the names, each after a slash; empty without names. */
export const encodeBelow = (names: readonly Segment[]): Buffer => Buffer.concat(names.flatMap((name) => [slash, encodeName(name)]));

function decodeBytes(bytes: Buffer): string {
  let name = '';
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    const length = sequenceLength(first);
    const piece = bytes.subarray(at, at + length);
    const text = piece.length === length && isUtf8(piece) ? piece.toString('utf8') : undefined;
    if (text !== undefined && !marked.test(text)) {
      name += text;
      at += length;
    } else {
      name += String.fromCodePoint(base + first);
      at += 1;
    }
  }
  return name;
}

/** Returns the length of the UTF-8 sequence that begins with this byte: RFC 3629, section 3. */
function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
