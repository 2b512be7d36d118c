import { limits } from '@sheaf/contract';
import type { Viewport } from './listing.ts';

interface Rows {
  has(index: number): boolean;
  loaded(): number;
  hasMore(): boolean;
  count(): number;
}

/** How many unloaded rows are read through in order before a jump is made over them. */
const nearby = limits.pageSize * 2;

/**
 * What to load for what is looked at, or undefined when nothing is missing: the next 25 rows once the user has scrolled past half of
 * what is there; what is on the screen and not yet there; a whole page of 1000 around a place that was jumped to.
 */
export function wantedRange(rows: Rows, { first, last, scrolled }: Viewport): { offset: number; limit: number } | undefined {
  const loaded = rows.loaded();
  const end = Math.min(last, rows.count() - 1);
  let missing = first;
  while (missing <= end && rows.has(missing)) missing += 1;
  if (missing <= end) {
    if (missing <= loaded + nearby)
      return { offset: loaded, limit: Math.min(limits.maxPageSize, Math.max(limits.pageSize, end + 1 - loaded)) };
    return { offset: missing - (missing % limits.maxPageSize), limit: limits.maxPageSize };
  }
  // Half of the way that can be scrolled: what is loaded, less one screen of it.
  const isPastHalf = scrolled > 0 && scrolled > (loaded - (last - first + 1)) / 2;
  return isPastHalf && rows.hasMore() && last < loaded + nearby ? { offset: loaded, limit: limits.pageSize } : undefined;
}
