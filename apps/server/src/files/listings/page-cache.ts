import type { Entry } from '@sheaf/connectors';
import type { StoredFolder } from './rows/folder-rows.ts';
import type { Slice, View } from './rows/view.ts';

/** A slice of a stored folder's view, and the view's total. */
export interface KnownPage {
  readonly entries: readonly Entry[];
  readonly total: number;
}

/** Most cached entries over all pages: some 10 MB. */
const entriesKept = 50_000;

/** Cache of pages. A page belongs to a version of its folder, so it is never stale, whichever instance changes the folder. */
export function createPageCache() {
  const pages = new Map<string, KnownPage>();
  let kept = 0;
  return {
    find(folder: StoredFolder, view: View, slice: Slice): KnownPage | undefined {
      const key = keyOf(folder, view, slice);
      const page = pages.get(key);
      if (!page) return undefined;
      // Least recently used first.
      pages.delete(key);
      pages.set(key, page);
      return page;
    },

    keep(folder: StoredFolder, view: View, slice: Slice, page: KnownPage): KnownPage {
      pages.set(keyOf(folder, view, slice), page);
      kept += weightOf(page);
      for (const [key, oldest] of pages) {
        if (kept <= entriesKept) break;
        pages.delete(key);
        kept -= weightOf(oldest);
      }
      return page;
    },
  };
}

const weightOf = ({ entries }: KnownPage): number => entries.length + 5;
const keyOf = ({ id, version }: StoredFolder, { sort, order, filter }: View, { offset, limit }: Slice): string =>
  `${id}/${version}/${sort}/${order}/${offset}/${limit}/${filter}`;
