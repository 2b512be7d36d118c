import { foldName } from '@sheaf/contract';

/** Longest sort key in characters: keeps index rows within what Postgres takes; names alike so far are told apart by the name itself. */
const longest = 200;

/**
 * What names are ordered by: folded, and with every run of digits written so that comparing characters compares numbers, whatever their
 * length (`a2` before `a10`, leading zeros aside). Names of equal keys are ordered by themselves.
 */
export function sortKeyOf(name: string): string {
  const folded = foldName(name);
  return (/\d/.test(folded) ? folded.replace(/\d+/g, orderedDigits) : folded).slice(0, longest);
}

/** A number's digits after their count; the count in digits of base 9, a 9 for each whole nine, so that a longer number comes later. */
function orderedDigits(run: string): string {
  const digits = run.replace(/^0+(?=\d)/, '');
  return '9'.repeat(Math.floor(digits.length / 9)) + (digits.length % 9) + digits;
}

/** The lower-case letters after a name's last dot, for ordering by type; empty for names that only begin with a dot. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1, dot + 33).toLowerCase();
}
