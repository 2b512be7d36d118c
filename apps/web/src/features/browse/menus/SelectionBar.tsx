import { UnstyledButton } from '@mantine/core';
import type { Item, ItemOperation } from '@sheaf/contract';
import { IconX } from '@tabler/icons-react';
import type { RowActions } from '#/features/browse/FolderContents.tsx';
import { formatSize } from '#/lib/format.ts';
import { itemActions } from './item-actions.ts';
import classes from './SelectionBar.module.css';

type Props = {
  items: readonly Item[];
  can: ReadonlySet<ItemOperation>;
  actions: RowActions;
  onClear: () => void;
};

/** Actions on the selected items. */
export function SelectionBar({ items, can, actions, onClear }: Props) {
  const bytes = items.reduce((sum, { size = 0 }) => sum + size, 0);
  const mains = itemActions({ items, can, actions, onRemove: actions.remove }).filter(({ isMain }) => isMain);
  return (
    <div className={classes.bar} role="toolbar" aria-label="Selection" data-selection-bar="" data-end-bar="">
      <UnstyledButton className={classes.clear} aria-label="Clear selection" onClick={onClear}>
        <IconX size={16} stroke={1.75} />
      </UnstyledButton>
      <div className={classes.count} role="status">
        {items.length} selected
        {bytes > 0 && <span>{formatSize(bytes)}</span>}
      </div>
      {mains.map(({ title, Icon, run }) => (
        <UnstyledButton key={title} className={classes.action} aria-label={title} onClick={run}>
          <Icon size={16} stroke={1.75} aria-hidden="true" />
          <span>{title}</span>
        </UnstyledButton>
      ))}
    </div>
  );
}
