import { foldName } from '@sheaf/contract';

/** Filters of a query that have a chip. */
export type ChipKey = 'type' | 'size' | 'date' | 'link';

const filters: Readonly<Record<ChipKey, RegExp>> = {
  type: /(?:^|\s)type:(?:"[^"]*"|\S+)/gi,
  size: /(?:^|\s)[<>]\d+(?:\.\d+)?[kmgt]?b(?=\s|$)/gi,
  date: /(?:^|\s)date:(?:"[^"]*"|\S+)/gi,
  link: /(?:^|\s)link:(?:"(?:[^"]|"")*"|\S+)/gi,
};

/** The query's filter of that kind, if it has one. */
export const filterIn = (query: string, key: ChipKey): string | undefined => query.match(filters[key])?.[0].trim();

/** The query with the filter in place of an earlier one of its kind; without one when it is empty. */
export const withFilter = (query: string, key: ChipKey, filter: string): string =>
  [query.replaceAll(filters[key], '').trim(), filter].filter((part) => part !== '').join(' ');

/** The filter for one link. */
export const linkFilter = (name: string): string => `link:"${name.replaceAll('"', '""')}"`;

/** Folded words of the query, without its filters. */
function wordsOf(query: string): string[] {
  const text = Object.values(filters)
    .reduce((rest, filter) => rest.replaceAll(filter, ''), query)
    .replaceAll(/(?:^|\s)in:/gi, ' ');
  return [...text.matchAll(/"((?:[^"]|"")*)(?:"|$)|(\S+)/g)]
    .map(([, phrase, word = '']) => foldName(phrase?.replaceAll('""', '"') ?? word))
    .filter((word) => word !== '');
}

/** A part of a text, and whether it answers a word. */
export interface Part {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Splits a text where words of the query are in it, without regard to case and accents. */
export function markMatches(text: string, query: string): Part[] {
  const characters = [...text];
  const starts: number[] = [];
  let folded = '';
  characters.forEach((character, at) => {
    const piece = foldName(character);
    folded += piece;
    while (starts.length < folded.length) starts.push(at);
  });
  const marked = new Set<number>();
  for (const word of wordsOf(query))
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + word.length))
      for (let unit = at; unit < at + word.length; unit++) marked.add(starts[unit] ?? -1);
  const parts: Part[] = [];
  characters.forEach((character, at) => {
    const last = parts.at(-1);
    // A combining mark belongs to the letter before it.
    const isMatch = foldName(character) === '' ? last?.isMatch === true : marked.has(at);
    if (last?.isMatch === isMatch) parts[parts.length - 1] = { text: last.text + character, isMatch };
    else parts.push({ text: character, isMatch });
  });
  return parts;
}
