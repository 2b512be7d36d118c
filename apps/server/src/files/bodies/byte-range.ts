import type { ByteRange } from '@sheaf/connectors';

/**
 * What a Range header asks of a file of `size` bytes (RFC 9110 section 14): a part, `unsatisfiable` when it lies outside, or undefined to send
 * the whole: no header, another unit, a malformed one, or several ranges, which a server may answer whole.
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
