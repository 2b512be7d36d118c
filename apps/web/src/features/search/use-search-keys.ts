import { useEffect } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'));

/** Opens the search on Ctrl+K (⌘K) and, outside of fields and dialogs, on the slash. */
export function useSearchKeys(onOpen: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (document.querySelector('[role="dialog"]') !== null || event.altKey || (event.shiftKey && event.key !== '/')) return;
      const hasModifier = event.ctrlKey || event.metaKey;
      const isShortcut = hasModifier ? event.key.toLowerCase() === 'k' : event.key === '/' && !isTyping(event.target);
      if (!isShortcut) return;
      event.preventDefault();
      event.stopPropagation();
      onOpen();
    };
    // Before the list of a folder, where typing searches a name.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [onOpen]);
}
