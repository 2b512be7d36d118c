import type { Item, ItemOperation } from '@sheaf/contract';
import { IconDots } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { RowActions } from '#/features/browse/FolderContents.tsx';
import type { SelectMode } from '#/features/browse/selection/selection.ts';
import { IconButton } from '#/ui/IconButton.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { itemActions } from './item-actions.ts';
import { MenuEntries } from './MenuEntries.tsx';

type Props = {
  item: Item;
  can: ReadonlySet<ItemOperation>;
  isChosen: boolean;
  onChoose: (mode: SelectMode) => void;
  actions: RowActions;
};

/** Menu of a row. */
export function RowMenu({ item, can, isChosen, onChoose, actions }: Props) {
  const [isOpen, setOpen] = useState(false);
  const own = useRef<HTMLButtonElement>(null);
  const button = (
    <IconButton
      ref={own}
      label={`Menu of ${item.name}`}
      withTooltip={false}
      tabIndex={-1}
      {...(isOpen ? {} : { onClick: () => setOpen(true), 'aria-haspopup': 'menu' })}
    >
      <IconDots size={18} stroke={1.75} />
    </IconButton>
  );
  // Mounts the menu only while it is open: there are many rows.
  if (!isOpen) return button;
  const entries = itemActions({
    items: [item],
    can,
    actions,
    ...(!isChosen && { onSelect: () => onChoose('toggle') }),
    onRemove: () => {
      if (!isChosen) onChoose('only');
      actions.remove();
    },
  });
  return (
    <Menu
      opened
      onChange={() => {
        setOpen(false);
        // The list handles the keyboard, and dialogs opened from the menu return the focus to it.
        own.current?.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
      }}
      returnFocus={false}
    >
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <MenuEntries actions={entries} />
      </Menu.Dropdown>
    </Menu>
  );
}
