import { useState } from 'react';

const place = 'sheaf-info';
/** On a narrow window the panel covers the list, so that it is not shown before it is asked for. */
const narrow = '(max-width: 699.98px)';

interface InfoOpen {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
  readonly toggle: () => void;
}

/** Whether the panel with details is open; the browser remembers it. */
export function useInfoOpen(): InfoOpen {
  const [isOpen, setOpen] = useState(() => localStorage.getItem(place) === 'open' && !matchMedia(narrow).matches);
  const set = (open: boolean): void => {
    setOpen(open);
    if (!matchMedia(narrow).matches) localStorage.setItem(place, open ? 'open' : 'closed');
  };
  return { isOpen, open: () => set(true), close: () => set(false), toggle: () => set(!isOpen) };
}
