import { undoChange } from '@sheaf/contract';
import { useEffect, useRef } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { notifyDone, notifyError, notifyUndo } from '#/ui/feedback/notify.ts';

/** Most changes that Ctrl+Z goes back. */
const most = 50;
/** Changes of this page that can be undone, the last one at the end. */
const done: { readonly undoId: string; readonly onUndone: () => void }[] = [];

/** An id for changes that are undone together; also without a secure context. */
export const newUndoId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const itemsOf = (count: number): string => (count === 1 ? '1 item' : `${count.toLocaleString()} items`);

/** Tells of a change that can be undone, by the message's button or with Ctrl+Z. */
export function offerUndo(message: string, undoId: string, onUndone: () => void): void {
  done.push({ undoId, onUndone });
  if (done.length > most) done.shift();
  notifyUndo(message, () => void undo(undoId));
}

/** Undoes that change, or the last one, and tells the result. */
async function undo(undoId = done.at(-1)?.undoId): Promise<void> {
  const index = done.findIndex((change) => change.undoId === undoId);
  if (undoId === undefined || index < 0) return;
  const [change] = done.splice(index, 1);
  try {
    const { undone, refused, refusedTotal } = await send(undoChange, { undoId });
    const [first] = refused;
    if (first) notifyError(`${itemsOf(refusedTotal)} could not be undone. ${errorText(first.error)}`);
    else notifyDone(`Undone: ${itemsOf(undone)}`);
  } catch (error) {
    notifyError(errorText(error));
  }
  change?.onUndone();
}

/** Undoes the last change with Ctrl+Z, unless text is being edited or a dialog is open. */
export function useUndoKey(isOff: boolean): void {
  const off = useRef(isOff);
  useEffect(() => void (off.current = isOff), [isOff]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z';
      if (!isUndo || off.current || event.defaultPrevented || done.length === 0) return;
      if (event.target instanceof Element && event.target.closest('input, textarea, [contenteditable], [role=dialog]')) return;
      event.preventDefault();
      void undo();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
