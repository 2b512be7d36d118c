import { fileTypes, foldName } from '@sheaf/contract';

/** What a user searches for. */
export interface SearchQuery {
  /** Folded texts; each is in the name or in the path. */
  readonly words: readonly string[];
  /** Folded texts of the path. */
  readonly folders: readonly string[];
  /** Folded texts of the link's name. */
  readonly links: readonly string[];
  /** Lower-case extensions, one of which the file has. */
  readonly extensions?: readonly string[];
  readonly kind?: 'file' | 'folder';
  /** Bytes. */
  readonly largerThan?: number;
  readonly smallerThan?: number;
  /** Epoch seconds; the end is excluded. */
  readonly modified?: { readonly from: number; readonly to: number };
}

/** Most texts that are looked for in a name, and in a path. */
const mostTexts = 10;
const units: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };
/** A filter's key, a phrase in quotes with quotes doubled, or a word. */
const part = /(?:(type|date|link|in):)?(?:"((?:[^"]|"")*)(?:"|$)|(\S+))/giu;
const size = /^([<>])(\d+(?:\.\d+)?)([kmgt]?b)$/i;
const period = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/** Reads a query; what is no filter is text, whatever it contains. */
export function parseQuery(query: string): SearchQuery {
  const words: string[] = [];
  const folders: string[] = [];
  const links: string[] = [];
  let filters: Pick<SearchQuery, 'extensions' | 'kind' | 'largerThan' | 'smallerThan' | 'modified'> = {};
  for (const [whole, key = '', phrase, plain = ''] of query.replaceAll('\0', '').toWellFormed().matchAll(part)) {
    const value = phrase === undefined ? plain : phrase.replaceAll('""', '"');
    const text = foldName(value);
    if (text === '') continue;
    const [, sign, amount, unit = ''] = (phrase === undefined && key === '' && size.exec(value)) || [];
    const dates = key.toLowerCase() === 'date' ? periodOf(value) : undefined;
    if (key.toLowerCase() === 'type') filters = { ...filters, ...typeOf(text) };
    else if (key.toLowerCase() === 'link') links.push(text);
    else if (key.toLowerCase() === 'in') folders.push(text);
    else if (dates) filters = { ...filters, modified: dates };
    else if (sign === '>') filters = { ...filters, kind: 'file', largerThan: bytesOf(amount, unit) };
    else if (sign === '<') filters = { ...filters, kind: 'file', smallerThan: bytesOf(amount, unit) };
    else words.push(key === '' ? text : foldName(whole));
  }
  return { words: longest(words), folders: longest(folders), links, ...filters };
}

/** Each text once; of very many the longest, as every one of them costs time for each name. */
const longest = (texts: readonly string[]): readonly string[] => {
  const all = [...new Set(texts)];
  if (all.length <= mostTexts) return all;
  const kept = new Set(all.toSorted((a, b) => b.length - a.length).slice(0, mostTexts));
  return all.filter((text) => kept.has(text));
};

const bytesOf = (amount: string | undefined, unit: string): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Number(amount) * (units[unit.toLowerCase()] ?? 1));

function typeOf(type: string): Pick<SearchQuery, 'extensions' | 'kind'> {
  if (type === 'folder') return { kind: 'folder' };
  if (type === 'file') return { kind: 'file' };
  return { kind: 'file', extensions: isType(type) ? fileTypes[type] : [type.replace(/^\./, '')] };
}

const isType = (type: string): type is keyof typeof fileTypes => Object.hasOwn(fileTypes, type);

/** The year, month or day in UTC. */
function periodOf(value: string): SearchQuery['modified'] {
  const [, year, month, day] = period.exec(value) ?? [];
  if (year === undefined) return undefined;
  const at = (years: number, months: number, days: number): number =>
    Date.UTC(Number(year) + years, Number(month ?? 1) - 1 + months, Number(day ?? 1) + days) / 1000;
  return { from: at(0, 0, 0), to: day !== undefined ? at(0, 0, 1) : month !== undefined ? at(0, 1, 0) : at(1, 0, 0) };
}

/** Whether there is anything to look for. */
export const isEmpty = ({ words, folders, extensions, kind, largerThan, smallerThan, modified }: SearchQuery): boolean =>
  words.length === 0 &&
  folders.length === 0 &&
  [extensions, kind, largerThan, smallerThan, modified].every((filter) => filter === undefined);

/** Texts of which at least one is in the name itself: those long enough for an index, else all. */
export function anchorsOf({ words }: SearchQuery): readonly string[] {
  const long = words.filter((word) => [...word].length >= 3);
  return long.length > 0 ? long : words;
}
