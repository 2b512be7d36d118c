import { type RefObject, useCallback, useRef, useState } from 'react';

interface LateMenu {
  readonly isOpen: boolean;
  /** Closes the menu and gives the focus back to its button. */
  readonly close: () => void;
  readonly button: {
    readonly ref: RefObject<HTMLButtonElement | null>;
    readonly 'aria-haspopup': 'menu';
    readonly 'aria-expanded': boolean;
    readonly onPointerEnter: () => void;
    readonly onFocus: () => void;
    readonly onPointerDown: () => void;
    readonly onClick: (event: { readonly detail: number }) => void;
    readonly onKeyDown: (event: { readonly key: string; preventDefault(): void }) => void;
  };
}

/** A button whose menu's script is loaded when somebody is about to press it. */
export function useLateMenu(preload: () => Promise<void>): LateMenu {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLButtonElement>(null);
  /** The press on the button itself counts as outside for the menu, which closes before the click arrives. */
  const wasOpen = useRef(false);
  const close = useCallback(() => {
    setOpen(false);
    ref.current?.focus();
  }, []);
  const prepare = useCallback(() => void preload(), [preload]);
  return {
    isOpen,
    close,
    button: {
      ref,
      'aria-haspopup': 'menu',
      'aria-expanded': isOpen,
      onPointerEnter: prepare,
      onFocus: prepare,
      onPointerDown: () => void (wasOpen.current = isOpen),
      // A click by the keyboard has no presses.
      onClick: ({ detail }) => setOpen(detail === 0 ? !isOpen : !wasOpen.current),
      onKeyDown: (event) => {
        // The menu hears keys itself only once it has the focus, which is a moment after it opens.
        if (event.key === 'Escape' && isOpen) close();
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        setOpen(true);
      },
    },
  };
}
