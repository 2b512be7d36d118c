import { foldName } from '@sheaf/contract';

/** Longest sort key in characters: keeps index rows within Postgres's limit; names with equal keys are ordered by the name itself. */
const longest = 200;
const [zero, nine, upperA, upperZ, lowerCase] = [0x30, 0x39, 0x41, 0x5a, 0x20];
/** The key under construction, as character codes: joining strings would allocate an object per piece for every name of every listing. */
const narrow = Buffer.alloc(longest + 1);
const codes = new Uint16Array(longest + 1);
const wide = Buffer.from(codes.buffer);
/** Bitwise or of all codes. */
let all = 0;

/**
 * Sort key of a name: folded, with every run of digits encoded so that comparing characters compares numbers of any length (`a2` before `a10`,
 * ignoring leading zeros). Names with equal keys are ordered by themselves.
 */
export function sortKeyOf(name: string): string {
  let length = writeKey(name);
  // ASCII is lower-cased while writing; other text is folded first.
  if (all >= 0x80) length = writeKey(foldName(name));
  return all < 0x100 ? narrow.toString('latin1', 0, length) : wide.toString('utf16le', 0, 2 * length);
}

/** Writes the key of a text; returns its length. */
function writeKey(text: string): number {
  let length = 0;
  all = 0;
  for (let at = 0; at < text.length && length < longest;) {
    const code = text.charCodeAt(at);
    if (code < zero || code > nine) {
      all |= code;
      narrow[length] = codes[length] = code >= upperA && code <= upperZ ? code | lowerCase : code;
      length++;
      at++;
      continue;
    }
    const end = endOfDigits(text, at);
    while (at < end - 1 && text.charCodeAt(at) === zero) at++;
    // The number of digits precedes them; in digits of base 9, with a 9 for each whole nine, so that a longer number sorts later.
    for (let count = end - at; count >= 9 && length < longest; count -= 9) narrow[length] = codes[length++] = nine;
    narrow[length] = codes[length++] = zero + ((end - at) % 9);
    for (; at < end && length < longest; at++) narrow[length] = codes[length++] = text.charCodeAt(at);
    at = end;
  }
  return Math.min(length, longest);
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  for (let code = text.charCodeAt(end); code >= zero && code <= nine; code = text.charCodeAt(end)) end++;
  return end;
}

/** The lower-case extension, for ordering by type; empty for names that only begin with a dot. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1, dot + 33).toLowerCase();
}
