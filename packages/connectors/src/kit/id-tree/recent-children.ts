import type { CallOptions } from '../../core/connector.ts';
import { bounded } from './bounded.ts';
import { type Item, type ItemSource, nameOfItem } from './item-tree.ts';

/** Time in ms for which a listing answers lookups of single names. */
const trustFor = 20_000;
/** Maximum number of cached items. */
const mostKept = 50_000;

type Items<Facts> = Map<string, Item<Facts>>;
type Change<Facts> = (items: Items<Facts>) => void;

interface Options<Facts> {
  readonly list: ItemSource<Facts>['children'];
  /** Whether a name that a recent listing lacks counts as missing; otherwise the folder is listed again. */
  readonly trustsAbsence?: (folder: Item<Facts>) => boolean;
  readonly now?: () => number;
}

/**
 * For providers without lookups by name: caches a folder's listing for a moment, so that a hundred lookups take one listing. Changes made
 * through this link are applied at once, also to running listings.
 */
export function createRecentChildren<Facts>({ list, trustsAbsence = () => true, now = Date.now }: Options<Facts>) {
  const kept = new Map<string, { readonly items: Items<Facts>; readonly until: number }>();
  const underWay = new Set<{ readonly folder: string; readonly changes: Change<Facts>[] }>();

  function keep(folder: string, items: Items<Facts>): void {
    kept.delete(folder);
    const total = items.size + [...kept.values()].reduce((sum, one) => sum + one.items.size, 0);
    if (total > mostKept) kept.clear();
    if (items.size <= mostKept) kept.set(folder, { items, until: now() + trustFor });
  }

  /** Yields a fresh listing, and caches it if it was read to its end. */
  async function* children(folder: Item<Facts>, ask: CallOptions): AsyncGenerator<readonly Item<Facts>[]> {
    const listing = { folder: folder.id, changes: [] as Change<Facts>[] };
    const items: Items<Facts> = new Map();
    underWay.add(listing);
    try {
      for await (const batch of bounded(list(folder, ask))) {
        for (const item of batch) items.set(item.id, item);
        yield batch;
      }
    } finally {
      underWay.delete(listing);
    }
    for (const change of listing.changes) change(items);
    keep(folder.id, items);
  }

  function enter(change: Change<Facts>, folder?: string): void {
    for (const listing of underWay) if (folder === undefined || listing.folder === folder) listing.changes.push(change);
    for (const [id, { items }] of kept) if (folder === undefined || id === folder) change(items);
  }

  return {
    children,
    /** Returns the folder's items with that name, from a recent listing. */
    async named(folder: Item<Facts>, name: string, ask: CallOptions): Promise<readonly Item<Facts>[]> {
      const shown = nameOfItem(name);
      const known = kept.get(folder.id);
      if (known && known.until > now()) {
        const held = [...known.items.values()].filter((item) => nameOfItem(item.name) === shown);
        if (held.length > 0 || trustsAbsence(folder)) return held;
      }
      const found: Item<Facts>[] = [];
      for await (const batch of children(folder, ask)) found.push(...batch.filter((item) => nameOfItem(item.name) === shown));
      return found;
    },
    /** Returns the folder's items, from a recent listing. */
    async all(folder: Item<Facts>, ask: CallOptions): Promise<readonly Item<Facts>[]> {
      const known = kept.get(folder.id);
      if (known && known.until > now()) return [...known.items.values()];
      return (await Array.fromAsync(children(folder, ask))).flat();
    },
    /** Adds an item that this link has created in the folder. */
    added: (folder: Item<Facts>, item: Item<Facts>): void => enter((items) => void items.set(item.id, item), folder.id),
    /** Removes an item that this link has deleted, from any folder. */
    removed: (id: string): void => enter((items) => void items.delete(id)),
  };
}
