import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Listing } from '#/features/browse/listing/listing.ts';
import type { Selection } from '#/features/browse/selection/selection.ts';

type Options = {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly listing: Listing;
  readonly selection: Selection;
  /** Indexes of the visible items. */
  readonly first: number;
  readonly last: number;
  /** Height of a row in pixels, and its number of items. */
  readonly step: number;
  readonly columns: number;
  /** Whether the list is scrolled. Asking the list itself would have the browser lay out the page once more for each drawing. */
  readonly isScrolled: boolean;
};

/** Scrolls along when rows are added or removed above: the item in use, else the first visible one of a scrolled list, stays where it is. */
export function useAnchor({ grid, listing, selection, first, last, step, columns, isScrolled }: Options): void {
  const anchor = useRef<{ readonly listing: Listing; readonly index: number; readonly linkUri: string }>(undefined);
  useLayoutEffect(() => {
    const list = grid.current;
    if (!list) return;
    const held = anchor.current;
    if (held?.listing === listing && listing.rowAt(held.index)?.linkUri !== held.linkUri) {
      const index = listing.indexOf(held.linkUri);
      if (index >= 0) list.scrollBy({ top: (Math.floor(index / columns) - Math.floor(held.index / columns)) * step, behavior: 'instant' });
    }
    const { cursor } = selection;
    const inUse = cursor >= first && cursor <= last ? cursor : undefined;
    const index = inUse ?? (isScrolled ? first : undefined);
    const linkUri = index === undefined ? undefined : listing.rowAt(index)?.linkUri;
    anchor.current = index === undefined || linkUri === undefined ? undefined : { listing, index, linkUri };
  });
}
