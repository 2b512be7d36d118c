import { foldName } from '@sheaf/contract';

/** Longest sort key in characters: keeps index rows within what Postgres takes; names alike so far are told apart by the name itself. */
const longest = 200;
const [zero, nine] = [0x30, 0x39];
/** The key being made, as character codes: one of pieces that are joined would cost an object for each of them, for every name of every listing. */
const narrow = Buffer.alloc(longest + 1);
const codes = new Uint16Array(longest + 1);
const wide = Buffer.from(codes.buffer);

/**
 * What names are ordered by: folded, and with every run of digits written so that comparing characters compares numbers, whatever their
 * length (`a2` before `a10`, leading zeros aside). Names of equal keys are ordered by themselves.
 */
export function sortKeyOf(name: string): string {
  const folded = foldName(name);
  let length = 0;
  let all = 0;
  for (let at = 0; at < folded.length && length < longest;) {
    const code = folded.charCodeAt(at);
    if (code < zero || code > nine) {
      all |= code;
      narrow[length] = code;
      codes[length++] = code;
      at++;
      continue;
    }
    const end = endOfDigits(folded, at);
    while (at < end - 1 && folded.charCodeAt(at) === zero) at++;
    // The count of the digits comes before them; in digits of base 9, a 9 for each whole nine, so that a longer number comes later.
    for (let count = end - at; count >= 9 && length < longest; count -= 9) narrow[length] = codes[length++] = nine;
    narrow[length] = codes[length++] = zero + ((end - at) % 9);
    for (; at < end && length < longest; at++) narrow[length] = codes[length++] = folded.charCodeAt(at);
    at = end;
  }
  const kept = Math.min(length, longest);
  return all < 0x100 ? narrow.toString('latin1', 0, kept) : wide.toString('utf16le', 0, 2 * kept);
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  for (let code = text.charCodeAt(end); code >= zero && code <= nine; code = text.charCodeAt(end)) end++;
  return end;
}

/** The lower-case letters after a name's last dot, for ordering by type; empty for names that only begin with a dot. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1, dot + 33).toLowerCase();
}
