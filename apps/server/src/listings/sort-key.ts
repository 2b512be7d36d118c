import { foldName } from '@sheaf/contract';

/** Longest sort key in characters: keeps index rows within what Postgres takes; names alike so far are told apart by the name itself. */
const longest = 200;
const zero = 48;

/**
 * What names are ordered by: folded, and with every run of digits written so that comparing characters compares numbers, whatever their
 * length (`a2` before `a10`, leading zeros aside). Names of equal keys are ordered by themselves.
 */
export function sortKeyOf(name: string): string {
  const folded = foldName(name);
  let key = '';
  let from = 0;
  // Every name of every listing comes through here, and a regular expression takes three times as long.
  for (let at = 0; at < folded.length; at++) {
    const end = endOfDigits(folded, at);
    if (end === at) continue;
    key += folded.slice(from, at);
    from = end;
    // Most runs are short and go on as they are after their count.
    if (end - at < 9 && folded.charCodeAt(at) !== zero) {
      key += end - at;
      from = at;
    } else key += orderedDigits(folded.slice(at, end));
    at = end;
  }
  if (key === '') return folded.slice(0, longest);
  return (key + folded.slice(from)).slice(0, longest);
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  for (let code = text.charCodeAt(end); code >= 48 && code <= 57; code = text.charCodeAt(end)) end++;
  return end;
}

/** A number's digits after their count; the count in digits of base 9, a 9 for each whole nine, so that a longer number comes later. */
function orderedDigits(run: string): string {
  const digits = run.startsWith('0') ? run.replace(/^0+(?=\d)/, '') : run;
  const nines = digits.length < 9 ? '' : '9'.repeat(Math.floor(digits.length / 9));
  return nines + (digits.length % 9) + digits;
}

/** The lower-case letters after a name's last dot, for ordering by type; empty for names that only begin with a dot. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1, dot + 33).toLowerCase();
}
