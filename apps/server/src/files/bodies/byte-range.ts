import type { ByteRange } from '@sheaf/connectors';

/**
 * Parses a Range header for a file of `size` bytes (RFC 9110 section 14): a range, `unsatisfiable` when it is outside, or undefined for the whole
 * file: no header, another unit, a malformed one, or several ranges, which a server may answer with the whole.
 */
export function rangeOf(header: string | undefined, size: number): Required<ByteRange> | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const count = Math.min(Number(last), size);
    return count === 0 ? 'unsatisfiable' : { start: size - count, end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}
