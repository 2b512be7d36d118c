import { useMediaQuery } from '@mantine/hooks';
import { cookies, limits } from '@sheaf/contract';
import { type RefObject, useEffect, useState } from 'react';
import { readCookie, writeCookie } from '#/lib/cookie.ts';

const narrow = `(max-width: ${limits.fullScreenMenuWidth - 0.02}px)`;

/** Open unless it was closed last time; in a narrow window a stored choice is set back to "off". */
function initial(): boolean {
  if (!matchMedia(narrow).matches) return readCookie(cookies.menu) !== 'off';
  if (readCookie(cookies.menu) === 'on') writeCookie(cookies.menu, 'off');
  return false;
}

/** Whether the side menu is open; a click outside `inside` closes it. The choice is kept in a cookie. */
export function useSideMenu(inside: readonly RefObject<HTMLElement | null>[]) {
  const [isOpen, setOpen] = useState(initial);
  const isNarrow = useMediaQuery(narrow, matchMedia(narrow).matches);
  const set = (open: boolean): void => {
    setOpen(open);
    writeCookie(cookies.menu, open ? 'on' : 'off');
  };

  const [wasNarrow, setWasNarrow] = useState(isNarrow);
  if (wasNarrow !== isNarrow) {
    setWasNarrow(isNarrow);
    if (isNarrow && isOpen) set(false);
  }

  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: MouseEvent): void => {
      const at = event.target;
      if (at instanceof Node && at.isConnected && !inside.some(({ current }) => current?.contains(at))) set(false);
    };
    document.addEventListener('click', leave);
    return () => document.removeEventListener('click', leave);
  });

  return {
    isOpen,
    toggle: () => set(!isOpen),
    /** After an entry was chosen: a full-screen menu gives way to what was chosen. */
    close: () => isNarrow && set(false),
  };
}
