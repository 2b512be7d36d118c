import { foldName } from '@sheaf/contract';
import type { Candidate } from './store.ts';

const isLetter = /[\p{L}\p{N}]/u;

/** How well a name answers a word: 0 whole name, 1 beginning, 2 beginning of a word, 3 inside, 4 only in the path. */
function placeOf(name: string, word: string): number {
  const at = name.indexOf(word);
  if (at === -1) return 4;
  if (at === 0) return name.length === word.length || name.lastIndexOf('.') === word.length ? 0 : 1;
  for (let next = at; next !== -1; next = name.indexOf(word, next + 1)) if (!isLetter.test(name.charAt(next - 1))) return 2;
  return 3;
}

/** Sorts candidates: the best place of the words in the name, folders a little up, then newest, then by name. */
export function ranked(candidates: readonly Candidate[], words: readonly string[]): Candidate[] {
  return candidates
    .map((candidate) => {
      const name = foldName(candidate.entry.name);
      const places = words.reduce((sum, word) => sum + placeOf(name, word), 0);
      return { candidate, name, score: 2 * places - (candidate.entry.kind === 'folder' ? words.length : 0) };
    })
    .sort(
      (a, b) =>
        a.score - b.score ||
        (b.candidate.entry.modified ?? 0) - (a.candidate.entry.modified ?? 0) ||
        (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
    )
    .map(({ candidate }) => candidate);
}
