import { useEffect, useState } from 'react';

/** The button of the menu that holds the element, because the menu is gone when the focus comes back; else the element itself. */
function lastingOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]');
  return menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : element;
}

/** Gives the focus, if nobody has taken it, back to where it was when the component came, once it goes. */
export function useFocusBack(): void {
  const [before] = useState(() => lastingOf(document.activeElement));
  useEffect(
    () => () => {
      // Whatever goes together with the component is gone by then, and the focus with it.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body || !(before instanceof HTMLElement) || !before.isConnected) return;
        before.focus({ preventScroll: true });
      });
    },
    [before],
  );
}
