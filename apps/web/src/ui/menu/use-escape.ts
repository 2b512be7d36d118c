import { useEffect, useEffectEvent } from 'react';

/** Closes an open menu by Escape, also in the moment before the menu has the focus and hears keys itself. */
export function useEscape(onClose: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // What lies below the menu, such as a selection or a dialog, stays.
    event.preventDefault();
    event.stopPropagation();
    onClose();
  });
  useEffect(() => {
    const close = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener('keydown', close, true);
    return () => window.removeEventListener('keydown', close, true);
  }, []);
}
