import { isWord } from './words.ts';

/** Guesses a second that a hundred graphics cards make at the key derivation of `wrap.ts`; a high estimate. */
const guessesPerSecond = 50_000;
/** Words at the top of nearly every password list. */
const common = /^(?:pass(?:word|phrase|wort)?|qwert[yz]u?|letmein|admin|welcome|iloveyou|dragon|monkey|secret|geheim|sheaf|vault)+/i;
const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm'];

const classes = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[^a-zA-Z\d]/, 20],
] as const;

/** Entropy of a run of letters, in bits: a common word counts as one choice; keyboard or alphabet sequences and repetitions count little. */
function bitsOf(part: string, perLetter: number): number {
  const small = part.toLowerCase();
  if (common.test(small)) return 4;
  if (/^(?:19|20)\d\d$/.test(part)) return 7;
  if (/^[ ._-]$/.test(part)) return 2;
  if (isWord(small)) return 11 + (small === part ? 0 : 1);
  let bits = 0;
  [...small].forEach((letter, index) => {
    const pair = (small[index - 1] ?? '') + letter;
    const follows =
      index > 0 && (pair[0] === pair[1] || rows.some((row) => row.includes(pair) || row.includes([...pair].reverse().join(''))));
    bits += follows ? 1 : perLetter;
  });
  // A natural-language word has far less entropy than random letters.
  return /^[a-z]{4,}$/i.test(part) ? Math.min(bits, 8 + part.length * 1.3) : bits;
}

export interface Strength {
  /** 0: weak, 1: fair, 2: good, 3: strong. */
  readonly level: 0 | 1 | 2 | 3;
  /** Average time to guess the passphrase, in seconds. */
  readonly seconds: number;
}

/** Estimates, conservatively, how long an attacker with a copy of the server's data and a hundred graphics cards needs to guess a passphrase. */
export function strengthOf(passphrase: string): Strength {
  const size = classes.reduce((sum, [pattern, count]) => sum + (pattern.test(passphrase) ? count : 0), 0);
  const parts = passphrase.match(/\p{L}+|\d+|[^\p{L}\d]+/gu) ?? [];
  const seen = new Set<string>();
  let bits = 0;
  for (const part of parts) {
    bits += seen.has(part) ? 1 : bitsOf(part, Math.min(4.7, Math.log2(Math.max(2, size))));
    seen.add(part);
  }
  const seconds = 2 ** bits / 2 / guessesPerSecond;
  const day = 86_400;
  const level = seconds < 30 * day ? 0 : seconds < 10 * 365 * day ? 1 : seconds < 1000 * 365 * day ? 2 : 3;
  return { level, seconds };
}
