import { browseErrorText } from '#/features/browse/error-texts.ts';
import type { Listing } from '#/features/browse/listing/listing.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { type Selection, choose } from './selection.ts';

interface Options {
  readonly listing: Listing;
  readonly count: number;
  readonly onSelect: (change: (now: Selection) => Selection) => void;
  /** The folder's name, for what is told when its rows cannot be loaded. */
  readonly name: string;
}

/** Selects all rows of a folder, after loading those that were not seen yet. */
export function selectAll({ listing, count, onSelect, name }: Options): void {
  listing
    .loadUpTo(count, AbortSignal.timeout(60_000))
    .then(() => onSelect((now) => ({ ...choose({ ...now, anchor: 0 }, count - 1, 'range', listing.rowAt), cursor: now.cursor })))
    .catch((error: unknown) => notifyError(browseErrorText(name, error)));
}
