import { limits } from '@sheaf/contract';
import type { Viewport } from './listing.ts';

interface Rows {
  has(index: number): boolean;
  loaded(): number;
  hasMore(): boolean;
  count(): number;
}

/** How many unloaded rows are loaded in order before a jump skips them. */
const nearby = limits.pageSize * 2;

/**
 * Rows to load for the viewport, or undefined when none are missing: the next 25 once the user has scrolled past half of the loaded ones; missing
 * visible rows; a whole page of 1000 around a position that was jumped to.
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
  // Half of the scrollable way: the loaded rows less one screen.
  const isPastHalf = scrolled > 0 && scrolled > (loaded - (last - first + 1)) / 2;
  return isPastHalf && rows.hasMore() && last < loaded + nearby ? { offset: loaded, limit: limits.pageSize } : undefined;
}
