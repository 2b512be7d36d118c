import { nameOf, parentOf } from '@sheaf/connectors';
import { AppError, type InputOf, type RecentChange, type Undone, linkUriOf, type listChanges } from '@sheaf/contract';
import type { Clock } from '#/platform/clock.ts';
import type { ChangeStore } from './store.ts';
import type { createUndoing } from './undoing.ts';

interface Deps {
  readonly store: ChangeStore;
  readonly undoing: ReturnType<typeof createUndoing>;
  readonly now: Clock;
  /** Undoes a transfer; rejects with TRANSFER_GONE when the user has none of that id. */
  readonly undoTransfer: (userId: string, transferId: string) => Promise<unknown>;
}

export type Changes = ReturnType<typeof createChanges>;

/** Changes of a user, and their reversal. */
export function createChanges({ store, undoing, now, undoTransfer }: Deps) {
  return {
    /** Undoes changes, or a transfer by its id. */
    async undo(userId: string, undoId: string, signal: AbortSignal): Promise<Undone> {
      try {
        return await undoing.undo(userId, undoId, signal);
      } catch (error) {
        if (!(error instanceof AppError) || error.messageCode !== 'CHANGE_GONE') throw error;
        try {
          await undoTransfer(userId, undoId);
        } catch (reason) {
          throw reason instanceof AppError && reason.messageCode === 'TRANSFER_GONE' ? error : reason;
        }
        return { undone: 0, refused: [], refusedTotal: 0, transferId: undoId };
      }
    },

    async list(userId: string, { offset, limit }: InputOf<typeof listChanges>): Promise<{ changes: RecentChange[]; hasMore: boolean }> {
      const rows = await store.changes(userId, now(), offset, limit + 1);
      const changes = rows
        .slice(0, limit)
        .map(({ undoId, kind, items, undone, undoable, viaLinkId, linkName, sourceType, path, toPath, size, at, until }): RecentChange => ({
          undoId,
          kind,
          items: Number(items),
          undone: Number(undone),
          undoable: Number(undoable),
          name: nameOf(path),
          ...(toPath !== null && nameOf(toPath) !== nameOf(path) && { newName: nameOf(toPath) }),
          linkName,
          sourceType,
          folderUri: linkUriOf(viaLinkId, parentOf(path)),
          folderPath: parentOf(path),
          ...(size !== null && { size: Number(size) }),
          at: Number(at),
          until: Number(until),
        }));
      return { changes, hasMore: rows.length > limit };
    },
  };
}
