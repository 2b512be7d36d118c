import { useEffect, useRef } from 'react';
import { pageHistory } from '#/lib/navigation/history.ts';

interface Keys {
  readonly onUp: () => void;
  /** Undefined where folders cannot be made. */
  readonly onAddFolder: (() => void) | undefined;
  /** Shows or hides the panel with details. */
  readonly onInfo: () => void;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'));

/** Whether the focus is on the page itself: an empty folder has no list, and one that is loading has none yet. */
const isOnPage = (target: EventTarget | null): boolean => target === document.body || (target instanceof Element && target.id === 'sheet');

/**
 * Keys of a folder wherever the focus is, except in fields, menus and dialogs: Alt and an arrow goes back, forward or up, Alt-N makes a folder, Alt-I shows
 * details. Backspace goes up where no list has the focus, which would take it.
 */
export function useFolderKeys(keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => void (latest.current = keys));
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented || isTyping(event.target)) return;
      const isBackspace = event.key === 'Backspace' && !event.altKey && isOnPage(event.target);
      if (!event.altKey && !isBackspace) return;
      if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return;
      const { onUp, onAddFolder, onInfo } = latest.current;
      // The physical key counts, because with Alt some keyboards write another character.
      if (isBackspace) onUp();
      else if (event.code === 'KeyN' && onAddFolder) onAddFolder();
      else if (event.code === 'KeyI') onInfo();
      else if (event.key === 'ArrowUp') onUp();
      else if (event.key === 'ArrowLeft') pageHistory().back();
      else if (event.key === 'ArrowRight') pageHistory().forward();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
