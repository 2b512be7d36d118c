import { type ErrorAnswer, type PlanItem, type Transfer, limits } from '@sheaf/contract';
import { sourcesOf, targetOf } from './rows/ends.ts';
import type { ItemRow } from './rows/item-store.ts';
import type { TransferRow } from './rows/store.ts';

const endedStates: readonly TransferRow['state'][] = ['done', 'failed', 'canceled'];

/** Milliseconds after its end in which a transfer can be undone. */
export const undoWindow = limits.undoDays * 86_400_000;

/** A transfer for the browser, at that time in epoch milliseconds. */
export function transferOf(row: TransferRow, now: number): Transfer {
  const { id, kind, state, conflict, verify, bytesPerSecond, startedAt, endedAt, waitingUntil, error } = row;
  const { bytesDone, bytesTotal, bytesSentTwice, itemsDone, itemsTotal, itemsFailed, problems, createdAt } = row;
  const undoUntil = (endedAt ?? now) + undoWindow;
  // Where the provider alone keeps versions, nothing that a mirror deleted could come back.
  const keeps = row.keepVersions !== 'provider';
  const canUndo = keeps && endedStates.includes(state) && itemsDone > 0 && row.isUndone === 0 && now < undoUntil;
  return {
    transferId: id,
    kind,
    state,
    bytesDone: Number(bytesDone),
    bytesTotal: Number(bytesTotal),
    bytesSentTwice: Number(bytesSentTwice),
    itemsDone,
    itemsTotal,
    itemsFailed,
    problems,
    from: [...sourcesOf(row)],
    to: targetOf(row),
    conflict,
    verify,
    createdAt,
    canUndo,
    ...(canUndo && { undoUntil }),
    ...(row.undoLeft !== null && { undoLeft: Number(row.undoLeft) }),
    ...(row.keepVersions !== null && { keepVersions: row.keepVersions }),
    ...(row.scheduleId !== null && { scheduleId: row.scheduleId }),
    ...(bytesPerSecond !== null && { bytesPerSecond: Number(bytesPerSecond) }),
    ...(startedAt !== null && { startedAt }),
    ...(endedAt !== null && { endedAt }),
    ...(waitingUntil !== null && { waitingUntil }),
    ...(error !== null && { error: JSON.parse(error) as ErrorAnswer }),
  };
}

/** An item of a plan for the browser. */
export function planItemOf({ seq, fromPath, toPath, isFolder, size, action, reason, state, proof, undo, error }: ItemRow): PlanItem {
  return {
    itemId: String(seq),
    from: fromPath,
    to: toPath,
    fileType: isFolder === 1 ? 'FOLDER' : 'FILE',
    action,
    state,
    ...(size !== null && { size: Number(size) }),
    ...(reason !== null && { reason }),
    ...(proof !== null && { proof }),
    ...(undo !== null && { undo }),
    ...(error !== null && { error: JSON.parse(error) as ErrorAnswer }),
  };
}
