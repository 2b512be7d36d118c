import type { Entry } from '../../../core/connector.ts';
import { numberInBytes } from '../../../kit/names/digits.ts';
import { decodeName } from '../../../kit/names/name-bytes.ts';
import { listed } from '../api.ts';
import { modifiedAt, monthAt } from './line-times.ts';

const [carriageReturn, space, dash, colon, letterD] = [0x0d, 0x20, 0x2d, 0x3a, 0x64];
const modeLetters = new Uint8Array(256);
for (const letter of Buffer.from('-rwxsStT')) modeLetters[letter] = 1;

/** Returns the end of the field that starts at `from`. Non-ASCII bytes may be blanks in their character set and end it too. */
function fieldEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at] ?? 0; byte > space && byte < 0x80; byte = bytes[at] ?? 0) at++;
  return at;
}

/** Returns the start of the field after the one at `from`. */
function nextField(bytes: Buffer, from: number): number {
  let at = fieldEnd(bytes, from);
  while (bytes[at] === space) at++;
  return at;
}

function hasMode(bytes: Buffer, from: number): boolean {
  for (let at = from; at < from + 9; at++) if (modeLetters[bytes[at] ?? 0] !== 1) return false;
  return bytes[from + 9] === space;
}

/**
 * Fast path of `parseLongLine` for the line from `from` to `end` as Unix servers write it for a file or folder, with a group and only
 * spaces as blanks; noticeable in folders of many thousands. Undefined for every other line, whatever is wrong with it.
 */
export function readUsualLine(bytes: Buffer, from: number, end: number, now: number): Entry | undefined {
  const kind = bytes[from] === dash ? 'file' : bytes[from] === letterD ? 'folder' : undefined;
  if (kind === undefined || !hasMode(bytes, from + 1)) return undefined;
  const links = nextField(bytes, from);
  const owner = nextField(bytes, links);
  const size = nextField(bytes, nextField(bytes, owner));
  const month = nextField(bytes, size);
  const day = nextField(bytes, month);
  const time = nextField(bytes, day);
  const blank = fieldEnd(bytes, time);
  if (bytes[blank] !== space || blank + 1 >= end) return undefined;
  const modified = timeAt(bytes, { month, day, time, end: blank }, now);
  const length = numberInBytes(bytes, size, fieldEnd(bytes, size));
  // The sum is NaN if either number is invalid.
  if (modified === undefined || Number.isNaN(length + numberInBytes(bytes, links, fieldEnd(bytes, links)))) return undefined;
  const name = nameAt(bytes, blank + 1, end);
  return name === undefined ? undefined : listed(name, kind, length, modified);
}

/** Epoch seconds of `Nov 22 05:46` or `Nov 22  2025`, from the given field offsets. */
function timeAt(bytes: Buffer, { month, day, time, end }: Readonly<Record<'month' | 'day' | 'time' | 'end', number>>, now: number) {
  const [monthNumber, dayEnd] = [monthAt(bytes, month), fieldEnd(bytes, day)];
  if (monthNumber === undefined || fieldEnd(bytes, month) !== month + 3 || dayEnd > day + 2) return undefined;
  const colonAt = bytes[end - 3] === colon ? end - 3 : undefined;
  if (colonAt === undefined ? end !== time + 4 : colonAt > time + 2) return undefined;
  const year = colonAt === undefined ? numberInBytes(bytes, time, end) : undefined;
  const hour = colonAt === undefined ? 0 : numberInBytes(bytes, time, colonAt);
  const minute = colonAt === undefined ? 0 : numberInBytes(bytes, colonAt + 1, end);
  const seconds = modifiedAt({ month: monthNumber, day: numberInBytes(bytes, day, dayEnd), hour, minute, year }, now);
  return Number.isNaN(seconds) ? undefined : seconds;
}

/**
 * Returns the name; undefined when it contains a line break. Decoded separately, because substrings of a longer string are slower to read.
 */
function nameAt(bytes: Buffer, from: number, end: number): string | undefined {
  let all = 0;
  for (let at = from; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === carriageReturn) return undefined;
    all |= byte;
  }
  return all < 0x80 ? bytes.toString('latin1', from, end) : decodeName(bytes.subarray(from, end));
}
