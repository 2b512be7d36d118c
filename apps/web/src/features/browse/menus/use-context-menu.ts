import { type KeyboardEvent, type MouseEvent, type PointerEvent, type TouchEvent, useEffect, useRef, useState } from 'react';
import { rowId } from '#/features/browse/selection/use-list-keys.ts';
import type { MenuPlace } from './ContextMenu.tsx';

/** Milliseconds of a long press, and pixels that the finger may move meanwhile. */
const [longPress, tremble] = [500, 10];

type Options = {
  /** Row under the cursor of the keyboard; -1 for none. */
  readonly cursor: number;
  /** Called before the menu opens, with the row that it is about; undefined for the folder itself. */
  readonly onOpen: (index: number | undefined) => void;
  readonly isOff: boolean;
};

export interface MenuRequest extends MenuPlace {
  /** The menu is about the selected items, otherwise about the folder. */
  readonly isOfRows: boolean;
}

/** Asks for a context menu by the right button, Shift-F10, the menu key, or a long press. With Shift the browser's own menu opens. */
export function useContextMenu({ cursor, onOpen, isOff }: Options) {
  const [asked, setAsked] = useState<MenuRequest>();
  const press = useRef<{ readonly timer: number; readonly x: number; readonly y: number }>(undefined);
  /** A long press ends with a click, which must not open the row. */
  const isPressed = useRef(false);
  /** Keys asked last, not the pointer. Firefox on Linux sends `contextmenu` after them although the key has been handled. */
  const isByKeys = useRef(false);

  const endPress = (): void => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  useEffect(() => endPress, []);

  const open = (index: number | undefined, place: MenuPlace): void => {
    endPress();
    onOpen(index);
    setAsked({ ...place, isOfRows: index !== undefined });
  };

  const handlers = {
    onContextMenu(event: MouseEvent): void {
      if (isByKeys.current) return event.preventDefault();
      const index = rowUnder(event);
      if (event.shiftKey || index === 'elsewhere') return;
      event.preventDefault();
      const isTouch = event.nativeEvent instanceof globalThis.PointerEvent && event.nativeEvent.pointerType === 'touch';
      isPressed.current = isTouch;
      open(index, { x: event.clientX, y: event.clientY, isTouch });
    },
    onKeyDown(event: KeyboardEvent): void {
      isByKeys.current = false;
      if (!(event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) || rowUnder(event) === 'elsewhere') return;
      event.preventDefault();
      isByKeys.current = true;
      const box = (document.getElementById(rowId(cursor)) ?? event.currentTarget).getBoundingClientRect();
      open(cursor < 0 ? undefined : cursor, { x: box.left + 48, y: Math.min(box.bottom, innerHeight - 40) - 8, isTouch: false });
    },
    onPointerDown(event: PointerEvent): void {
      isByKeys.current = false;
      isPressed.current = false;
      endPress();
      const index = rowUnder(event);
      if (event.pointerType !== 'touch' || !event.isPrimary || index === 'elsewhere') return;
      const { clientX: x, clientY: y } = event;
      const ask = (): void => {
        isPressed.current = true;
        open(index, { x, y, isTouch: true });
      };
      press.current = { timer: window.setTimeout(ask, longPress), x, y };
    },
    onPointerMove(event: PointerEvent): void {
      const { current } = press;
      if (current && Math.hypot(event.clientX - current.x, event.clientY - current.y) > tremble) endPress();
    },
    onPointerUp: endPress,
    onPointerCancel: endPress,
    onTouchEnd(event: TouchEvent): void {
      // Otherwise a press of the mouse follows, which closes the menu.
      if (isPressed.current && isWithin(event)) event.preventDefault();
    },
    onClickCapture(event: MouseEvent): void {
      if (!isPressed.current || !isWithin(event)) return;
      isPressed.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
  const close = (): void => {
    isByKeys.current = false;
    setAsked(undefined);
  };
  return { asked, close, handlers: isOff ? {} : handlers };
}

interface Targeted {
  readonly currentTarget: EventTarget;
  readonly target: EventTarget;
}

/** Dialogs and menus are children of the folder for React only. */
const isWithin = ({ currentTarget, target }: Targeted): boolean =>
  currentTarget instanceof Element && target instanceof Element && currentTarget.contains(target);

/** Index of the row that the event happened in, undefined in the empty part of the folder, `elsewhere` for fields, buttons and bars. */
function rowUnder(event: Targeted): number | undefined | 'elsewhere' {
  const { target } = event;
  if (!isWithin(event) || !(target instanceof Element)) return 'elsewhere';
  if (target.closest('input:not([type=checkbox]), textarea, nav, header, [role=toolbar], [role=columnheader]')) return 'elsewhere';
  const row = target.closest(`[id^="${rowId(0).slice(0, -1)}"]`);
  return row ? Number(row.id.slice(rowId(0).length - 1)) : undefined;
}
