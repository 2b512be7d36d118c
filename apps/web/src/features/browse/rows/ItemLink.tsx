import type { Item } from '@sheaf/contract';
import type { ReactNode } from 'react';

/** Gives the focus, which the press on the link took, back to the list. */
const focusList = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void =>
  currentTarget.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });

type Props = {
  item: Item;
  href: string;
  className: string | undefined;
  children: ReactNode;
};

/** A link to the item, for the middle button and the browser's own context menu. The list handles other clicks, the keyboard and dragging. */
export function ItemLink({ item, href, className, children }: Props) {
  return (
    <a
      className={className}
      href={href}
      title={item.name}
      tabIndex={-1}
      // The row is dragged, not the address.
      draggable={false}
      // Not on pressing the button: with the focus taken away then, Chromium does not let the row be dragged.
      // The right button has opened a menu, which keeps the focus.
      onMouseUp={(event) => event.button === 0 && focusList(event)}
      onContextMenu={focusList}
      onClick={(event) => event.preventDefault()}
    >
      {children}
    </a>
  );
}
