import { useMediaQuery } from '@mantine/hooks';
import { cookies, limits } from '@sheaf/contract';
import { type RefObject, useEffect, useState } from 'react';
import { readCookie, writeCookie } from '#/lib/http/cookie.ts';

const narrow = `(max-width: ${limits.fullScreenMenuWidth - 0.02}px)`;

/** Form of the side menu: floating over the page, docked in its own column, or filling a narrow window. */
export type SideMenuForm = 'closed' | 'floating' | 'docked' | 'full';

export interface SideMenuState {
  readonly form: SideMenuForm;
  readonly isPinned: boolean;
  readonly setPinned: (pinned: boolean) => void;
  /** After an item was chosen: closes a menu that covers the page. */
  readonly close: () => void;
  readonly toggle: () => void;
  /** Whether the rail of icons is visible. */
  readonly hasRail: boolean;
}

/** Restores the stored state; in a narrow window resets it to closed. */
function initial(): boolean {
  if (!matchMedia(narrow).matches) return readCookie(cookies.menu) === 'on';
  if (readCookie(cookies.menu) === 'on') writeCookie(cookies.menu, 'off');
  return false;
}

/**
 * State of the side menu. A click outside `menu` and Escape close it unless it is docked; the burger does not count as outside, and gets the focus
 * back. Cookies store whether it is open and whether it is pinned.
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
      // The chosen item disappears with the menu, so the focus moves to the burger.
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
