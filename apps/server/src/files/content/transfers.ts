import { nameOf, parentOf } from '@sheaf/connectors';
import { AppError, type FirstPage, appError } from '@sheaf/contract';
import { type OpenItem, storedAt } from '#/files/items/place.ts';

/** Moves of many steps that have not ended. Paths are those of the link that stores the items. */
export interface Transfers {
  movesOf(linkId: string): Promise<readonly { readonly from: string; readonly to: string }[]>;
  /** Waits for such a move to end, and finishes it when its process is gone; false where there is none. */
  join(linkId: string, from: string, to: string, signal: AbortSignal): Promise<boolean>;
  /** Rejects with RENAME_UNDER_WAY while a move stands in the way of changing the item. */
  check(linkId: string, path: string, signal: AbortSignal): Promise<void>;
  /** What to say of a taken path: that a move is taking it, or else the error. */
  explain(linkId: string, path: string, error: unknown): Promise<unknown>;
}

/** The moves of an opened item's link, by the paths that its user knows. */
export function transfersOf(transfers: Transfers, item: OpenItem) {
  /** Members of a space are not told the names of folders above it. */
  const told = (error: unknown): unknown =>
    item.stored && error instanceof AppError && error.messageCode === 'RENAME_UNDER_WAY'
      ? appError('RENAME_UNDER_WAY', { name: item.name }, error)
      : error;

  return {
    join(from: string, to: string, signal: AbortSignal): Promise<boolean> {
      const stored = storedAt(item, from);
      return transfers.join(stored.linkId, stored.path, storedAt(item, to).path, signal);
    },
    async check(path: string, signal: AbortSignal): Promise<void> {
      const stored = storedAt(item, path);
      try {
        await transfers.check(stored.linkId, stored.path, signal);
      } catch (error) {
        throw told(error);
      }
    },
    async explain(path: string, error: unknown): Promise<unknown> {
      const stored = storedAt(item, path);
      return told(await transfers.explain(stored.linkId, stored.path, error));
    },
    /** Those of items in the folder. */
    async renames(): Promise<Pick<FirstPage, 'renames'>> {
      const { linkId, path } = storedAt(item, item.path);
      const moves = (await transfers.movesOf(linkId)).filter(({ from, to }) => parentOf(from) === path && parentOf(to) === path);
      return moves.length === 0 ? {} : { renames: moves.map(({ from, to }) => ({ name: nameOf(from), newName: nameOf(to) })) };
    },
  };
}
