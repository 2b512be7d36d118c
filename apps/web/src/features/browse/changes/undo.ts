import { undoChange } from '@sheaf/contract';
import { useEffect, useRef } from 'react';
import { itemCount } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { notifyDone, notifyError, notifyUndo } from '#/ui/feedback/notify.ts';

/** A change that can be undone. */
interface Change {
  readonly undoId: string;
  /** Shows the folder as it is after the change was undone. */
  readonly onUndone: () => void;
  /** Makes the change again, and offers its undo. */
  readonly again: () => Promise<void>;
}

/** Most changes that the keys go back. */
const most = 50;
/** Changes of this page, the last one at the end: those that can be undone, and those that were. */
const done: Change[] = [];
let undone: Change[] = [];

/** An id for changes that are undone together; also without a secure context. */
export const newUndoId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Tells of a change that can be undone, by the message's button or with Ctrl+Z. A new change ends what could be made again. */
export function offerUndo(message: string, change: Change, isAgain = false): void {
  if (!isAgain) undone = [];
  done.push(change);
  if (done.length > most) done.shift();
  notifyUndo(message, () => void undo(change.undoId));
}

/** Undoes that change, or the last one, and tells the result. */
async function undo(undoId = done.at(-1)?.undoId): Promise<void> {
  const index = done.findIndex((change) => change.undoId === undoId);
  const [change] = index < 0 ? [] : done.splice(index, 1);
  if (!change) return;
  try {
    const { undone: count, refused, refusedTotal } = await send(undoChange, { undoId: change.undoId });
    const [first] = refused;
    if (first) notifyError(`${itemCount(refusedTotal)} could not be undone. ${errorText(first.error)}`);
    else {
      notifyDone(`Undone: ${itemCount(count)}`);
      undone.push(change);
    }
  } catch (error) {
    notifyError(errorText(error));
  }
  change.onUndone();
}

/** Makes the change again that was undone last. */
async function redo(): Promise<void> {
  await undone.pop()?.again();
}

/** Undoes the last change with Ctrl+Z, and makes it again with Ctrl+Shift+Z or Ctrl+Y, unless text is being edited or a dialog is open. */
export function useUndoKeys(isOff: boolean): void {
  const off = useRef(isOff);
  useEffect(() => void (off.current = isOff), [isOff]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || off.current || event.defaultPrevented) return;
      const key = event.key.toLowerCase();
      const isUndo = key === 'z' && !event.shiftKey;
      const isRedo = (key === 'z' && event.shiftKey) || (key === 'y' && !event.shiftKey);
      if (!(isUndo ? done.length > 0 : isRedo && undone.length > 0)) return;
      if (event.target instanceof Element && event.target.closest('input, textarea, [contenteditable], [role=dialog]')) return;
      event.preventDefault();
      void (isUndo ? undo() : redo());
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
