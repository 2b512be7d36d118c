import type { Item } from '@sheaf/contract';
import { replaceEqualDeep } from '@tanstack/react-query';

export type RowTable = ReturnType<typeof createRowTable>;

/**
 * Rows by index, with gaps where none are loaded. Rows of the former listing stand in for those of the current one until these are loaded, so that
 * nothing goes blank.
 */
export function createRowTable() {
  let rows = new Map<number, Item>();
  let before = new Map<number, Item>();
  let total: number | undefined;
  let hasMore = false;
  /** Items of the last complete listing; later ones that it lacks are new. */
  let known: ReadonlySet<string> | undefined;
  const fresh = new Set<string>();

  /** Number of consecutive rows from the first, as far as counted; and the last index plus one. */
  let counted = 0;
  let end = 0;
  /** Cached set of all rows, until one of them changes. */
  let everything: ReadonlySet<string> | undefined;
  const loaded = (): number => {
    while (rows.has(counted)) counted += 1;
    return counted;
  };
  const recount = (): void => {
    everything = undefined;
    counted = 0;
    end = 0;
    for (const index of rows.keys()) end = Math.max(end, index + 1);
  };
  const closeGaps = (map: ReadonlyMap<number, Item>, gone: ReadonlySet<string>): Map<number, Item> => {
    let shift = 0;
    const kept = new Map<number, Item>();
    for (const [index, item] of [...map].toSorted(([a], [b]) => a - b)) {
      if (gone.has(item.linkUri)) shift += 1;
      else kept.set(index - shift, item);
    }
    return kept;
  };

  return {
    at: (index: number): Item | undefined => rows.get(index) ?? before.get(index),
    /** Whether the current listing's row is loaded. */
    has: (index: number): boolean => rows.has(index),
    /** Number of consecutive rows from the first. */
    loaded,
    count: (): number => total ?? end,
    hasMore: (): boolean => (total === undefined ? hasMore : loaded() < total),
    /** The linkUri of every row, once all are loaded. */
    all(): ReadonlySet<string> | undefined {
      if (total === undefined || loaded() < total) return undefined;
      everything ??= new Set([...rows.values()].map(({ linkUri }) => linkUri));
      return everything;
    },
    isNew: (linkUri: string): boolean => fresh.has(linkUri),

    indexOf(linkUri: string): number {
      for (const [index, item] of rows) if (item.linkUri === linkUri) return index;
      for (const [index, item] of before) if (item.linkUri === linkUri && !rows.has(index)) return index;
      return -1;
    },

    put(offset: number, items: readonly Item[]): void {
      for (const [index, item] of items.entries()) {
        const at = offset + index;
        // The same object while nothing has changed: its row is not drawn again.
        rows.set(at, replaceEqualDeep(rows.get(at) ?? before.get(at), item));
        everything = undefined;
        end = Math.max(end, offset + index + 1);
        if (known && !known.has(item.linkUri)) fresh.add(item.linkUri);
      }
    },
    setTotal(count: number | undefined, more: boolean): void {
      total = count;
      hasMore = more;
      if (total === undefined) return;
      // Also drops optimistic rows that the storage refused.
      for (const map of [rows, before]) for (const index of map.keys()) if (index >= total) map.delete(index);
      recount();
    },
    /** Starts another listing: visible rows stay until they are replaced. */
    renew(): void {
      if (total !== undefined && loaded() === total) known = new Set([...rows.values()].map(({ linkUri }) => linkUri));
      else known = undefined;
      before = new Map([...before, ...rows]);
      rows = new Map();
      total = undefined;
      recount();
    },

    remove(gone: ReadonlySet<string>): void {
      const sizeBefore = rows.size;
      rows = closeGaps(rows, gone);
      before = closeGaps(before, gone);
      if (total !== undefined) total -= sizeBefore - rows.size;
      recount();
    },
    replace(linkUri: string, item: Item): void {
      everything = undefined;
      for (const map of [rows, before]) {
        for (const [index, row] of map) if (row.linkUri === linkUri) map.set(index, item);
      }
    },
    insertFirst(item: Item): void {
      rows = new Map([[0, item], ...[...rows].map(([index, row]): [number, Item] => [index + 1, row])]);
      before = new Map();
      if (total !== undefined) total += 1;
      recount();
    },
  };
}
