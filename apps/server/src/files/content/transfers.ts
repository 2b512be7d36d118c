import { nameOf, parentOf } from '@sheaf/connectors';
import { AppError, type FirstPage, appError } from '@sheaf/contract';
import { type OpenItem, storedAt } from '#/files/items/open-item.ts';

/** Long moves that have not ended. Paths are those of the link that stores the items. */
export interface Transfers {
  movesOf(linkId: string): Promise<readonly { readonly from: string; readonly to: string }[]>;
  /** Waits for such a move to end, and finishes it if its process is gone; false without one. */
  join(linkId: string, from: string, to: string, signal: AbortSignal): Promise<boolean>;
  /** Rejects with RENAME_UNDER_WAY while a running move concerns the item. */
  check(linkId: string, path: string, signal: AbortSignal): Promise<void>;
  /** The error for a taken path: RENAME_UNDER_WAY if a move is taking it, else the given error. */
  explain(linkId: string, path: string, error: unknown): Promise<unknown>;
}

/** Moves in an open item's link, with the user's paths. */
export function transfersOf(transfers: Transfers, item: OpenItem) {
  /** Members of a Space do not see names of folders above it. */
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
    /** Moves of items in the folder. */
    async renames(): Promise<Pick<FirstPage, 'renames'>> {
      const { linkId, path } = storedAt(item, item.path);
      const moves = (await transfers.movesOf(linkId)).filter(({ from, to }) => parentOf(from) === path && parentOf(to) === path);
      return moves.length === 0 ? {} : { renames: moves.map(({ from, to }) => ({ name: nameOf(from), newName: nameOf(to) })) };
    },
  };
}
