import type { Entry } from '@sheaf/connectors';
import { type SortKey, foldName } from '@sheaf/contract';
import { extensionOf, sortKeyOf } from './sort-key.ts';

/** How a folder is looked at. Folders come before files in every order. */
export interface View {
  readonly sort: SortKey;
  readonly order: 'asc' | 'desc';
  /** A part of the folded name; empty: everything. */
  readonly filter: string;
}

/** Sorts as unknown sizes and times do: before every known one. */
export const unknownTime = Number.MIN_SAFE_INTEGER;
export const unknownSize = -1;

/** The view that a call asks for. */
export const viewOf = (input: { sort: SortKey; order: 'asc' | 'desc'; filter?: string }): View => ({
  sort: input.sort,
  order: input.order,
  filter: foldName(input.filter ?? ''),
});

export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

interface Candidate {
  readonly entry: Entry;
  readonly isFile: boolean;
  readonly key: string | number;
  readonly sortKey: string;
}

/** A slice of the view of entries in memory, in the order in which the store would give it, and how many the view has. */
export function selectEntries(entries: Iterable<Entry>, view: View, { offset, limit }: Slice): { entries: Entry[]; total: number } {
  const wanted = offset + limit;
  const compare = comparison(view);
  let best: Candidate[] = [];
  let total = 0;
  for (const entry of entries) {
    if (view.filter !== '' && !foldName(entry.name).includes(view.filter)) continue;
    total++;
    best.push(candidateOf(entry, view));
    // Keeps no more than twice what is asked for: sorting now and then is cheaper than sorting all.
    if (best.length > 2 * wanted + 1000) best = best.sort(compare).slice(0, wanted);
  }
  return {
    entries: best
      .sort(compare)
      .slice(offset, wanted)
      .map(({ entry }) => entry),
    total,
  };
}

function candidateOf(entry: Entry, { sort }: View): Candidate {
  const sortKey = sortKeyOf(entry.name);
  return { entry, isFile: entry.kind === 'file', key: sort === 'name' ? sortKey : keyOf(entry, sort), sortKey };
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

/** Folders first, then by key in the view's direction; equal keys by name, in that direction only where the key is the name. */
function comparison({ sort, order }: View): (a: Candidate, b: Candidate) => number {
  const direction = order === 'asc' ? 1 : -1;
  const nameDirection = sort === 'name' ? direction : 1;
  return (a, b) => {
    if (a.isFile !== b.isFile) return a.isFile ? 1 : -1;
    if (a.key !== b.key) return a.key < b.key ? -direction : direction;
    if (a.sortKey !== b.sortKey) return a.sortKey < b.sortKey ? -1 : 1;
    return a.entry.name < b.entry.name ? -nameDirection : nameDirection;
  };
}
