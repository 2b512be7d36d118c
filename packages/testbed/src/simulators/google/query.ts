import { refuseWith } from './refusals.ts';

/** The searchable fields: https://developers.google.com/drive/api/guides/ref-search-terms */
export interface Searchable {
  readonly name: string;
  readonly mimeType: string;
  readonly parents: readonly string[];
  readonly trashed: boolean;
  readonly modifiedTime: string;
  readonly createdTime: string;
  readonly words: () => string;
}
type Test = (file: Searchable) => boolean;

const token = /\s*(?:('(?:[^'\\]|\\.)*')|([()])|(!=|<=|>=|=|<|>)|([A-Za-z]+))/y;

/** Parses a query; refuses an invalid one. `usesFullText` marks results that cannot be sorted. */
export function readQuery(text: string, rootId: string): { readonly test: Test; readonly usesFullText: boolean } {
  const words: string[] = [];
  token.lastIndex = 0;
  const fail = (): never => refuseWith(400, 'invalid', 'Invalid Value');
  while (token.lastIndex < text.trimEnd().length) {
    const found = token.exec(text) ?? fail();
    words.push(found.slice(1).find((part) => part !== undefined) ?? fail());
  }
  let at = 0;
  const next = (): string => words[at++] ?? fail();
  const string = (): string => {
    const word = next();
    return word.startsWith("'") ? word.slice(1, -1).replace(/\\(.)/g, '$1') : fail();
  };

  function either(): Test {
    const tests = [both()];
    while (words[at] === 'or' && next()) tests.push(both());
    return (file) => tests.some((test) => test(file));
  }
  function both(): Test {
    const tests = [one()];
    while (words[at] === 'and' && next()) tests.push(one());
    return (file) => tests.every((test) => test(file));
  }
  function one(): Test {
    if (words[at] === 'not' && next()) {
      const test = one();
      return (file) => !test(file);
    }
    if (words[at] === '(' && next()) {
      const test = either();
      return next() === ')' ? test : fail();
    }
    if (words[at]?.startsWith("'")) {
      const id = string();
      return next() === 'in' && next() === 'parents' ? ({ parents }) => parents.includes(id === 'root' ? rootId : id) : fail();
    }
    return compare(next(), next());
  }
  function compare(field: string, operator: string): Test {
    if (field === 'trashed') {
      const value = next();
      if (value !== 'true' && value !== 'false') fail();
      return ({ trashed }) => (operator === '=' || fail()) && trashed === (value === 'true');
    }
    const value = string();
    if (field === 'name' && operator === 'contains') return ({ name }) => hasWords(name, value, (word, wanted) => word.startsWith(wanted));
    if (field === 'fullText' && operator === 'contains')
      return (file) => hasWords(`${file.name} ${file.words()}`, value, (word, wanted) => word === wanted);
    if ((field === 'name' || field === 'mimeType') && (operator === '=' || operator === '!='))
      return (file) => (file[field].toLowerCase() === value.toLowerCase()) === (operator === '=');
    if (field === 'modifiedTime' || field === 'createdTime')
      return (file) => compareTimes(Date.parse(file[field]), operator, Date.parse(value));
    return fail();
  }

  const test = either();
  if (at < words.length) fail();
  return { test, usesFullText: words.includes('fullText') };
}

/** Compares names and texts word by word; anything but letters and digits separates words. */
function hasWords(text: string, query: string, fits: (word: string, wanted: string) => boolean): boolean {
  const split = (whole: string) =>
    whole
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '');
  const words = split(text);
  return split(query).every((wanted) => words.some((word) => fits(word, wanted)));
}

function compareTimes(one: number, operator: string, other: number): boolean {
  switch (operator) {
    case '<':
      return one < other;
    case '<=':
      return one <= other;
    case '>':
      return one > other;
    case '>=':
      return one >= other;
    case '=':
      return one === other;
    default:
      return refuseWith(400, 'invalid', 'Invalid Value');
  }
}
