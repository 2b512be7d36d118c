import type { Item } from '@sheaf/contract';
import type { ReactNode } from 'react';

type Props = {
  item: Item;
  href: string;
  className: string | undefined;
  children: ReactNode;
};

/** A link to the item, for the middle button and the browser's context menu. The list handles other clicks, the keyboard and dragging. */
export function ItemLink({ item, href, className, children }: Props) {
  return (
    <a
      className={className}
      href={href}
      title={item.name}
      tabIndex={-1}
      draggable={false}
      // Preventing the mouse's default action would keep the focus as well, but also the row from being dragged.
      onFocus={({ currentTarget }) => currentTarget.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true })}
      onClick={(event) => event.preventDefault()}
    >
      {children}
    </a>
  );
}
