import { type Found, type SearchedLink, mostFound } from '@sheaf/contract';

type Answer = Pick<Found, 'items' | 'total' | 'hasMore' | 'isPartial'>;

const most = (): string => mostFound.toLocaleString();

/** How many items were found in all. */
export function countText({ total, items, hasMore, isPartial }: Answer): string {
  if (total !== undefined) return total === 1 ? '1 result' : `${total} results`;
  if (isPartial !== true) return `More than ${most()}`;
  return hasMore ? `More than ${items.length} so far` : `${items.length} so far`;
}

/** How many of a link's items are shown. */
export function amountText(shown: number, { found, isPartial }: Pick<SearchedLink, 'found' | 'isPartial'>): string {
  return isPartial === true ? `${shown} so far` : `${shown} of ${found ?? `more than ${most()}`}`;
}

/** What is said below the found items: that there are none, or that only a part of the names was looked through. */
export function outcomeText({ items, isPartial }: Answer): string | undefined {
  const isEmpty = items.length === 0;
  if (isPartial === true)
    return `${isEmpty ? 'Nothing found so far. ' : ''}Only a part of the names was looked through: narrow the search.`;
  return isEmpty ? 'Nothing found in the folders that Sheaf knows.' : undefined;
}
