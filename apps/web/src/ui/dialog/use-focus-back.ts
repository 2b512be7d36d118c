import { useEffect, useState } from 'react';

/** The button of the menu that contains the element, because the menu is gone when the focus returns; else the element itself. */
function lastingOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]');
  return menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : element;
}

/** Focused elements before each open component, newest last. */
let remembered: readonly (Element | null)[] = [];

/**
 * On unmount returns the focus, unless something else has it, to where it was at mount. A component that replaces another, as a loaded dialog does,
 * returns it to where it was before that one. If the element is gone, as the row of a removed link, focuses the page's content.
 */
export function useFocusBack(): void {
  const [before] = useState(() => [lastingOf(document.activeElement), ...remembered.toReversed()]);
  useEffect(() => {
    const own = before[0] ?? null;
    remembered = [...remembered, own];
    return () => {
      remembered = remembered.toSpliced(remembered.lastIndexOf(own), 1);
      // After this frame everything that unmounts together is gone, and the focus with it.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        const lasting = before.find((element) => element !== document.body && element?.isConnected === true);
        const place = lasting ?? document.querySelector('main[tabindex]');
        if (place instanceof HTMLElement) place.focus({ preventScroll: true });
      });
    };
  }, [before]);
}
