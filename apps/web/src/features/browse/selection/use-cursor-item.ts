import { useEffect, useRef } from 'react';
import type { Listing } from '#/features/browse/listing/listing.ts';
import type { Selection } from './selection.ts';

type Options = {
  readonly listing: Listing;
  readonly selection: Selection;
  readonly onMove: (change: (now: Selection) => Selection) => void;
};

/** Keeps the keyboard's cursor on its item when others add or remove rows before it. */
export function useCursorItem({ listing, selection, onMove }: Options): void {
  const last = useRef<{ readonly listing: Listing; readonly cursor: number; readonly linkUri: string | undefined }>(undefined);
  const { cursor } = selection;
  const linkUri = listing.rowAt(cursor)?.linkUri;

  useEffect(() => {
    const before = last.current;
    last.current = { listing, cursor, linkUri };
    if (before?.linkUri === undefined || before.listing !== listing || before.cursor !== cursor || before.linkUri === linkUri) return;
    const index = listing.indexOf(before.linkUri);
    if (index < 0) return;
    last.current = { listing, cursor: index, linkUri: before.linkUri };
    onMove((now) => ({ ...now, cursor: index, anchor: now.anchor === cursor ? index : now.anchor }));
  }, [listing, cursor, linkUri, onMove]);
}
