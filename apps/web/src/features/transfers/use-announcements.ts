import type { Transfer } from '@sheaf/contract';
import { useEffect } from 'react';
import { errorAnswerText } from '#/lib/http/error-text.ts';
import { pageTransfers } from '#/lib/transfers/page-transfers.ts';
import { titleOf } from '#/lib/transfers/words.ts';
import { remember, undo } from '#/lib/undoing.ts';
import { notifyDone, notifyError, notifyUndo } from '#/ui/feedback/notify.ts';
import { itemsText, tookSeconds } from './figures.ts';

/** Seconds from which the end of a transfer is worth a notification of the browser. */
const long = 60;

/** Tells of the end of transfers: in the page of those begun here, by the browser of long ones, if the user allows it. */
export function useAnnouncements(): void {
  useEffect(
    () =>
      pageTransfers.onEnd((after) => {
        if (after.state === 'canceled') return;
        if (pageTransfers.isOwn(after.transferId)) {
          if (after.state === 'done' && after.itemsFailed === 0) tellDone(after);
          else notifyError(endText(after));
        }
        if ((tookSeconds(after) ?? 0) > long) announce(after);
      }),
    [],
  );
}

/** A move can be undone at once, by the message's button or with Ctrl+Z. */
function tellDone(transfer: Transfer): void {
  const message = `${titleOf(transfer)}.`;
  const { kind, transferId, canUndo } = transfer;
  if (kind !== 'move' || !canUndo) return notifyDone(message);
  remember({ undoId: transferId });
  notifyUndo(message, () => void undo({ done: notifyDone, failed: notifyError }, transferId));
}

/** How a transfer has ended, as sentences. */
export function endText(transfer: Transfer): string {
  const { state, itemsFailed, error } = transfer;
  if (state === 'failed') return `${titleOf(transfer)}: failed. ${error ? errorAnswerText(error) : ''}`.trim();
  return itemsFailed > 0 ? `${titleOf(transfer)}. ${itemsText(itemsFailed)} failed.` : `${titleOf(transfer)}.`;
}

function announce(transfer: Transfer): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  // The same tag in every tab: the browser shows one.
  const notification = new Notification('Sheaf', { body: endText(transfer), tag: transfer.transferId });
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
  });
}
