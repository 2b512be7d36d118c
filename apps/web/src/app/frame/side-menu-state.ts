import { useMediaQuery } from '@mantine/hooks';
import { cookies, limits } from '@sheaf/contract';
import { type RefObject, useEffect, useState } from 'react';
import { readCookie, writeCookie } from '#/lib/http/cookie.ts';

const narrow = `(max-width: ${limits.fullScreenMenuWidth - 0.02}px)`;

/** How the side menu stands: it floats over the page, has a column of its own, or fills a narrow window. */
export type SideMenuForm = 'closed' | 'floating' | 'docked' | 'full';

export interface SideMenuState {
  readonly form: SideMenuForm;
  readonly isPinned: boolean;
  readonly setPinned: (pinned: boolean) => void;
  /** After an entry was chosen: a menu that covers the page gives way to what was chosen. */
  readonly close: () => void;
  readonly toggle: () => void;
  /** Whether the rail of icons stands at the side. */
  readonly hasRail: boolean;
}

/** Open if it was left open; in a narrow window a stored choice is set back to "off". */
function initial(): boolean {
  if (!matchMedia(narrow).matches) return readCookie(cookies.menu) === 'on';
  if (readCookie(cookies.menu) === 'on') writeCookie(cookies.menu, 'off');
  return false;
}

/**
 * How the side menu stands. A click outside `menu` and Escape close it unless it is docked; a click on the burger is not outside, and gets
 * the focus back. Whether it is open and whether it is pinned are kept in cookies.
 */
export function useSideMenu(menu: RefObject<HTMLElement | null>, burger: RefObject<HTMLElement | null>): SideMenuState {
  const [isOpen, setOpen] = useState(initial);
  const [isPinned, setPinnedHere] = useState(() => readCookie(cookies.menuPin) === 'on');
  const isNarrow = useMediaQuery(narrow, matchMedia(narrow).matches);
  const form = formOf(isOpen, isPinned, isNarrow);
  const isOver = form === 'floating' || form === 'full';
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
    if (isOver && document.activeElement === burger.current) menu.current?.focus();
  }, [isOver, menu, burger]);
  useEffect(() => {
    if (!isOver) return;
    const leave = (event: MouseEvent): void => {
      const at = event.target;
      if (at instanceof Node && at.isConnected && ![menu, burger].some(({ current }) => current?.contains(at))) set(false);
    };
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      set(false);
      burger.current?.focus();
    };
    document.addEventListener('click', leave);
    document.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('click', leave);
      document.removeEventListener('keydown', escape);
    };
  });

  return {
    form,
    isPinned,
    setPinned: (pinned) => {
      setPinnedHere(pinned);
      writeCookie(cookies.menuPin, pinned ? 'on' : 'off');
    },
    close: () => {
      if (!isOver) return;
      // The line that was chosen goes with the menu, and the focus with it.
      if (menu.current?.contains(document.activeElement)) burger.current?.focus();
      set(false);
    },
    toggle: () => set(!isOpen),
    hasRail: !isNarrow && form !== 'docked',
  };
}

function formOf(isOpen: boolean, isPinned: boolean, isNarrow: boolean): SideMenuForm {
  if (!isOpen) return 'closed';
  if (isNarrow) return 'full';
  return isPinned ? 'docked' : 'floating';
}
