import { useEffect, useState } from 'react';

/** The button of the menu that holds the element, because the menu is gone when the focus comes back; else the element itself. */
function lastingOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]');
  return menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : element;
}

/** Where the focus was before each of those that are there now, the newest last. */
let remembered: readonly (Element | null)[] = [];

/**
 * Gives the focus, if nobody has taken it, back to where it was when the component came, once it goes. One that takes another's place, as
 * a dialog does when it has been loaded, gives it back to where it was before that. What is gone by then, as the row that was unlinked,
 * leaves it to the page's content.
 */
export function useFocusBack(): void {
  const [before] = useState(() => [lastingOf(document.activeElement), ...remembered.toReversed()]);
  useEffect(() => {
    const own = before[0] ?? null;
    remembered = [...remembered, own];
    return () => {
      remembered = remembered.toSpliced(remembered.lastIndexOf(own), 1);
      // Whatever goes together with the component is gone by then, and the focus with it.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        const lasting = before.find((element) => element !== document.body && element?.isConnected === true);
        const place = lasting ?? document.querySelector('main[tabindex]');
        if (place instanceof HTMLElement) place.focus({ preventScroll: true });
      });
    };
  }, [before]);
}
