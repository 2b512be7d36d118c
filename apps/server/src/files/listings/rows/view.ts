import type { Entry } from '@sheaf/connectors';
import { type SortKey, foldName } from '@sheaf/contract';
import { extensionOf, sortKeyOf } from './sort-key.ts';

/** View of a folder. Folders come before files in every order. */
export interface View {
  readonly sort: SortKey;
  readonly order: 'asc' | 'desc';
  /** A part of the folded name; empty: no filter. */
  readonly filter: string;
}

/** Unknown sizes and times sort before every known one. */
export const unknownTime = Number.MIN_SAFE_INTEGER;
export const unknownSize = -1;

/** The view of a call. */
export const viewOf = (input: { sort: SortKey; order: 'asc' | 'desc'; filter?: string }): View => ({
  sort: input.sort,
  order: input.order,
  filter: foldName(input.filter ?? ''),
});

export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

/** An entry with its sort values, which are computed once. */
export interface Row {
  readonly entry: Entry;
  readonly isFile: boolean;
  readonly sortKey: string;
}
export const rowOf = (entry: Entry): Row => ({ entry, isFile: entry.kind === 'file', sortKey: sortKeyOf(entry.name) });

interface Candidate extends Row {
  readonly key: string | number;
}

/** A slice of the view of rows in memory, in the store's order; of rows with the same kind and name the last. */
export function selectRows(rows: Iterable<Row>, view: View, slice: Slice): Entry[] {
  const { sort, filter } = view;
  const shown = filter === '' ? rows : matching(rows, filter);
  if (sort === 'name') return best(shown, byName(view.order === 'asc' ? 1 : -1), slice);
  return best(candidatesOf(shown, sort), byKey(view.order === 'asc' ? 1 : -1), slice);
}

/** The slice of the sorted rows. Keeps at most twice the requested number and sorts now and then, which is cheaper than sorting all. */
function best<R extends Row>(rows: Iterable<R>, compare: (a: R, b: R) => number, { offset, limit }: Slice): Entry[] {
  const wanted = offset + limit;
  const most = 2 * wanted + 1000;
  let kept: R[] = [];
  for (const row of rows) {
    kept.push(row);
    if (kept.length > most) kept = eachOnce(kept.sort(compare)).slice(0, wanted);
  }
  return eachOnce(kept.sort(compare))
    .slice(offset, wanted)
    .map(({ entry }) => entry);
}

/** Sorted rows, of equal ones the last: a folder that changes while it is read by pages may list an item twice. */
const eachOnce = <R extends Row>(rows: readonly R[]): R[] => rows.filter((row, at) => !isSameItem(row, rows[at + 1]));

const isSameItem = (one: Row, other: Row | undefined): boolean =>
  one.sortKey === other?.sortKey && one.entry.name === other.entry.name && one.isFile === other.isFile;

function* matching(rows: Iterable<Row>, filter: string): Generator<Row> {
  for (const row of rows) if (foldName(row.entry.name).includes(filter)) yield row;
}

function* candidatesOf(rows: Iterable<Row>, sort: Exclude<SortKey, 'name'>): Generator<Candidate> {
  for (const row of rows) yield { ...row, key: keyOf(row.entry, sort) };
}

function keyOf(entry: Entry, sort: Exclude<SortKey, 'name'>): string | number {
  switch (sort) {
    case 'modified':
      return entry.modified ?? unknownTime;
    case 'size':
      return entry.size ?? unknownSize;
    case 'type':
      return extensionOf(entry.name);
  }
}

/** Folders first, then by name in that direction. */
const byName =
  (direction: 1 | -1) =>
  (a: Row, b: Row): number => {
    if (a.isFile !== b.isFile) return a.isFile ? 1 : -1;
    if (a.sortKey < b.sortKey) return -direction;
    if (a.sortKey > b.sortKey) return direction;
    if (a.entry.name === b.entry.name) return 0;
    return a.entry.name < b.entry.name ? -direction : direction;
  };

/** Folders first, then by key in that direction; equal keys by ascending name. */
const byKey =
  (direction: 1 | -1) =>
  (a: Candidate, b: Candidate): number => {
    if (a.isFile !== b.isFile || a.key === b.key) return byName(1)(a, b);
    return a.key < b.key ? -direction : direction;
  };
