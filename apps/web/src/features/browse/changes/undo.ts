import { useEffect, useRef } from 'react';
import { type Change, canRedo, canUndo, redo, remember, undo } from '#/lib/undoing.ts';
import { notifyDone, notifyError, notifyUndo } from '#/ui/feedback/notify.ts';

const tell = { done: notifyDone, failed: notifyError } as const;

/** Shows a message about a change, which can be undone by its button or with Ctrl+Z. */
export function offerUndo(message: string, change: Change, isAgain = false): void {
  remember(change, isAgain);
  notifyUndo(message, () => void undo(tell, change.undoId));
}

/** Undoes the last change with Ctrl+Z and redoes it with Ctrl+Shift+Z or Ctrl+Y, unless text is being edited or a dialog is open. */
export function useUndoKeys(isOff: boolean): void {
  const off = useRef(isOff);
  useEffect(() => void (off.current = isOff), [isOff]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || off.current || event.defaultPrevented) return;
      const key = event.key.toLowerCase();
      const isUndo = key === 'z' && !event.shiftKey;
      const isRedo = (key === 'z' && event.shiftKey) || (key === 'y' && !event.shiftKey);
      if (!(isUndo ? canUndo() : isRedo && canRedo())) return;
      if (event.target instanceof Element && event.target.closest('input, textarea, [contenteditable], [role=dialog]')) return;
      event.preventDefault();
      void (isUndo ? undo(tell) : redo());
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
