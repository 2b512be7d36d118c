import { nameOf, parentOf } from '@sheaf/connectors';
import {
  AppError,
  type InputOf,
  type RecentChange,
  type Transfer,
  type Undone,
  linkUriOf,
  type listChanges,
  mostChanges,
  parentUri,
} from '@sheaf/contract';
import type { Clock } from '#/platform/clock.ts';
import type { ChangeStore } from './store.ts';
import type { createUndoing } from './undoing.ts';

/** A transfer, and whether it has been undone or is being so. */
type RecentTransfer = Transfer & { readonly isUndone: boolean };
/** The user's transfers that have ended, the newest first. */
export type RecentTransfers = (userId: string, limit: number) => Promise<readonly RecentTransfer[]>;

interface Deps {
  readonly store: ChangeStore;
  readonly undoing: ReturnType<typeof createUndoing>;
  readonly now: Clock;
  /** Undoes a transfer; rejects with TRANSFER_GONE when the user has none of that id. */
  readonly undoTransfer: (userId: string, transferId: string) => Promise<unknown>;
  readonly recentTransfers: RecentTransfers;
}

export type Changes = ReturnType<typeof createChanges>;

/** Changes of a user, and their reversal. */
export function createChanges({ store, undoing, now, undoTransfer, recentTransfers }: Deps) {
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

    /** Changes of items and transfers, merged by their time. */
    async list(userId: string, { offset, limit }: InputOf<typeof listChanges>): Promise<{ changes: RecentChange[]; hasMore: boolean }> {
      const end = offset + limit;
      const [rows, transfers] = await Promise.all([store.changes(userId, now(), end + 1), recentTransfers(userId, end + 1)]);
      const all = [...rows.map(changeOf), ...transfers.map(transferChangeOf)].toSorted((one, other) => other.at - one.at);
      return { changes: all.slice(offset, end), hasMore: all.length > end && end <= mostChanges };
    },
  };
}

type Row = Awaited<ReturnType<ChangeStore['changes']>>[number];

function changeOf(row: Row): RecentChange {
  const { undoId, kind, items, undone, undoable, viaLinkId, linkName, sourceType, path, toPath, size, at, until } = row;
  return {
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
    ...(Number(undoable) > 0 && { until: Number(until) }),
  };
}

/** A transfer's places show the name of a link, then the path in it. */
function transferChangeOf(transfer: RecentTransfer): RecentChange {
  const { transferId, kind, from, to, canUndo, isUndone, undoUntil, undoLeft, bytesDone, createdAt } = transfer;
  const [first] = from;
  const [linkName = '', ...names] = (first?.path ?? '').split('/').filter((name) => name !== '');
  return {
    undoId: transferId,
    transferId,
    kind,
    items: from.length,
    undone: isUndone && undoLeft !== undefined ? from.length : 0,
    undoable: canUndo ? from.length : 0,
    ...(isUndone && undoLeft === undefined && { undoing: true }),
    name: names.at(-1) ?? linkName,
    toFolder: to.path,
    linkName,
    folderUri: parentUri(first?.linkUri ?? '') ?? first?.linkUri ?? '',
    folderPath: `/${names.slice(0, -1).join('/')}`,
    size: bytesDone,
    at: Math.floor(Number(createdAt) / 1000),
    ...(undoUntil !== undefined && { until: Math.floor(undoUntil / 1000) }),
  };
}
