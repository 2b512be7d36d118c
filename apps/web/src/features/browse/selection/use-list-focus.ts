import type { Item } from '@sheaf/contract';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Listing, ListingState } from '#/features/browse/listing/listing.ts';
import { noteFolder } from './folder-left.ts';

/** Most rows searched for the folder that was left. */
const farthest = 10_000;

type Options = {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly names: readonly string[];
  readonly listing: Listing;
  readonly state: ListingState;
  /** Whether something on top of the list has the focus. */
  readonly isBusy: boolean;
  /** Moves the cursor to that row. */
  readonly onCursor: (index: number) => void;
};

/**
 * Focuses the list when a folder is entered, unless the user has focused something else; after going up, moves the cursor to the folder that was
 * left. Returns the row to scroll to.
 */
export function useListFocus({ grid, names, listing, state, isBusy, onCursor }: Options): number | undefined {
  const [left] = useState(() => noteFolder(names));
  const [revealed, setRevealed] = useState<number>();
  const isEntered = useRef(false);
  const isReady = state.status === 'ready' && state.count > 0;

  useEffect(() => void noteFolder(names), [names]);
  useEffect(() => {
    const at = document.activeElement;
    if (isEntered.current || isBusy || !isReady || !grid.current) return;
    isEntered.current = true;
    if (at === null || at === document.body || at.id === 'sheet') grid.current.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (left === undefined || !isReady || revealed !== undefined) return;
    const isLeft = (item: Item | undefined): boolean => item?.disambiguatedName === left;
    const leaving = new AbortController();
    const find = (count: number): boolean => {
      for (let index = 0; index < count; index++) {
        if (!isLeft(listing.rowAt(index))) continue;
        setRevealed(index);
        onCursor(index);
        return true;
      }
      return false;
    };
    if (find(state.count)) return;
    const count = Math.min(state.count, farthest);
    // If the row cannot be found, the list starts at its top, as for a visitor from elsewhere.
    listing.loadUpTo(count, leaving.signal).then(
      () => !leaving.signal.aborted && find(count),
      () => undefined,
    );
    return () => leaving.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- asked once, when the first rows are there
  }, [isReady, left, listing]);
  return revealed;
}
