import { useEffect, useEffectEvent } from 'react';

/** Mantine's dialogs leave an Escape alone whose target has this attribute, as the entries of menus have. */
const mark = 'data-mantine-stop-propagation';

/** While `isOpen`, closes a menu by Escape, also before the menu has the focus and hears keys itself. */
export function useEscape(isOpen: boolean, onClose: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // What lies below the menu, such as a selection or a dialog, stays.
    event.preventDefault();
    event.stopPropagation();
    onClose();
  });
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener('keydown', close, true);
    // A dialog around the menu hears the key first: it listens at the same place, and for longer.
    const focused = document.activeElement;
    const isMarked = focused?.hasAttribute(mark) ?? true;
    if (!isMarked) focused?.setAttribute(mark, 'true');
    return () => {
      window.removeEventListener('keydown', close, true);
      if (!isMarked) focused?.removeAttribute(mark);
    };
  }, [isOpen]);
}
