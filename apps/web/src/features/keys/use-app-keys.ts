import { useEffect } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'));

interface Keys {
  /** Ctrl+K (⌘K), and outside of fields and dialogs the slash. */
  readonly onSearch: () => void;
  /** The question mark, outside of fields and dialogs. */
  readonly onKeys: () => void;
}

/** Keys that work on every page. */
export function useAppKeys({ onSearch, onKeys }: Keys): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.altKey || document.querySelector('[role="dialog"]') !== null) return;
      const hasModifier = event.ctrlKey || event.metaKey;
      const isPlain = !hasModifier && !isTyping(event.target);
      if ((hasModifier && !event.shiftKey && event.key.toLowerCase() === 'k') || (isPlain && event.key === '/')) onSearch();
      else if (isPlain && event.key === '?') onKeys();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the list of a folder, where typing searches a name.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [onSearch, onKeys]);
}
