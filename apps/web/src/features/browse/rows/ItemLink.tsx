import type { Item } from '@sheaf/contract';
import type { ReactNode } from 'react';

type Props = {
  item: Item;
  href: string;
  className: string | undefined;
  children: ReactNode;
};

/** A link to the item, for the middle button and the browser's context menu. The list handles other clicks and the keyboard. */
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
