import { type Transfer, oneTransfer } from '@sheaf/contract';
import { useEffect } from 'react';
import { itemCount } from '#/lib/format.ts';
import { errorAnswerText, errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { beginTransfer } from '#/lib/transfers/begin.ts';
import { pageTransfers } from '#/lib/transfers/page-transfers.ts';
import { titleOf } from '#/lib/transfers/words.ts';
import { remember, undo } from '#/lib/undoing.ts';
import { pageUploads } from '#/lib/uploads/page-uploads.ts';
import type { Replaced } from '#/lib/uploads/replacements.ts';
import { notifyDone, notifyError, notifyUndo } from '#/ui/feedback/notify.ts';
import { itemsText, tookSeconds } from './figures.ts';

/** Seconds from which the end of a transfer is worth a notification of the browser. */
const long = 60;

/** Tells of the end of transfers: in the page of those begun here, by the browser of long ones, if the user allows it. */
export function useAnnouncements(): void {
  useEffect(() => pageUploads.onReplaced(tellReplaced), []);
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

/** Tells of files that uploads have replaced, and offers to bring them back. */
function tellReplaced({ undoId, files, name, folderUri }: Replaced): void {
  const onUndone = (): void => pageUploads.changed(folderUri);
  remember({ undoId, onUndone });
  notifyUndo(
    files === 1 ? `Replaced “${name}”` : `Replaced ${itemCount(files)}`,
    () => void undo({ done: notifyDone, failed: notifyError }, undoId),
  );
}

/** Moves that repeat an undone one: their end does not end what else can be made again. */
const again = new Set<string>();
/** Milliseconds between two looks whether an undo has ended, and how many. */
const [lookEvery, mostLooks] = [500, 600];

/** Moves the items once more, as soon as all of them are back. */
async function moveAgain({ transferId, from, to }: Transfer): Promise<void> {
  try {
    for (let looks = 0; (await send(oneTransfer, { transferId })).undoLeft === undefined; looks++) {
      if (looks > mostLooks) return notifyError('The move is still being undone. Transfers show what becomes of it.');
      await new Promise((resolve) => setTimeout(resolve, lookEvery));
    }
    const linkUris = from.map(({ linkUri }) => linkUri);
    again.add(await beginTransfer({ kind: 'move', linkUris, parentLinkUri: to.linkUri }));
  } catch (error) {
    notifyError(errorText(error));
  }
}

/** A move can be undone at once, by the message's button or with Ctrl+Z. */
function tellDone(transfer: Transfer): void {
  const message = `${titleOf(transfer)}.`;
  const { kind, transferId, canUndo } = transfer;
  if (kind !== 'move' || !canUndo) return notifyDone(message);
  remember({ undoId: transferId, again: () => moveAgain(transfer) }, again.delete(transferId));
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
