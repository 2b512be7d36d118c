import type { Item } from '@sheaf/contract';
import type { ReactNode } from 'react';

type Props = {
  item: Item;
  href: string;
  className: string | undefined;
  children: ReactNode;
};

/**
 * An item's address, for the middle button and the browser's own menu of links. The list decides what other clicks do, and has the
 * keyboard.
 */
export function ItemLink({ item, href, className, children }: Props) {
  return (
    <a
      className={className}
      href={href}
      title={item.name}
      tabIndex={-1}
      draggable={false}
      onMouseDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
      }}
      onClick={(event) => event.preventDefault()}
    >
      {children}
    </a>
  );
}
