import { type RefObject, useEffect } from 'react';
import type { Listing } from '#/features/browse/listing/listing.ts';

/** Milliseconds for which the pointer counts as busy after it has moved. */
const restAfter = 500;

type Options = {
  readonly area: RefObject<HTMLElement | null>;
  readonly listing: Listing;
  /** Whether rows are held by something else than the pointer, such as an open menu. */
  readonly isBusy: boolean;
};

/** Keeps the rows in place while the pointer moves over them, presses or drags them, or a menu of theirs is open. */
export function useHands({ area, listing, isBusy }: Options): void {
  useEffect(() => (isBusy ? listing.hold(true) : undefined), [listing, isBusy]);

  useEffect(() => {
    const element = area.current;
    if (!element) return undefined;
    const leaving = new AbortController();
    let release: (() => void) | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isPressed = false;
    const rest = (): void => {
      clearTimeout(timer);
      timer = undefined;
      release?.();
      release = undefined;
    };
    const use = ({ target, pointerType, buttons }: PointerEvent): void => {
      isPressed = buttons > 0;
      const isOnRow = target instanceof Element && target.closest('[role=row], [role=gridcell]') !== null;
      // Nothing that is still arriving is held: it would seem to hang.
      if (!isOnRow || listing.state().status !== 'ready' || !listing.state().isComplete) return;
      if (pointerType === 'touch' && !isPressed) return;
      release ??= listing.hold(true);
      clearTimeout(timer);
      timer = isPressed ? undefined : setTimeout(rest, restAfter);
    };
    const letGo = (): void => {
      isPressed = false;
      clearTimeout(timer);
      if (release) timer = setTimeout(rest, restAfter);
    };
    const { signal } = leaving;
    element.addEventListener('pointermove', use, { signal, passive: true });
    element.addEventListener('pointerdown', use, { signal, passive: true });
    // A press may end anywhere; a drag by the browser ends with `dragend` only.
    for (const end of ['pointerup', 'dragend', 'drop'] as const) addEventListener(end, letGo, { signal, capture: true });
    addEventListener('pointercancel', (event) => event.pointerType === 'touch' && letGo(), { signal, capture: true });
    element.addEventListener('pointerleave', () => !isPressed && letGo(), { signal });
    return () => {
      leaving.abort();
      rest();
    };
  }, [area, listing]);
}
