import { UnstyledButton } from '@mantine/core';
import type { Item, ItemOperation, CopyKind } from '@sheaf/contract';
import { IconCopy, IconDownload, IconFolderSymlink, IconPencil, IconShare, IconTrash, IconX } from '@tabler/icons-react';
import { formatSize } from '#/lib/format.ts';
import classes from './SelectionBar.module.css';

type Props = {
  items: readonly Item[];
  can: ReadonlySet<ItemOperation>;
  onDownload: () => void;
  onShare: () => void;
  /** Opens the dialog that asks for the target. */
  onTransfer: (kind: CopyKind) => void;
  onRename: () => void;
  onDelete: () => void;
  onClear: () => void;
};

/** Actions on the selected items. */
export function SelectionBar({ items, can, onDownload, onShare, onTransfer, onRename, onDelete, onClear }: Props) {
  const bytes = items.reduce((sum, { size = 0 }) => sum + size, 0);
  const actions = [
    ...(can.has('read') ? [{ title: 'Download', Icon: IconDownload, run: onDownload }] : []),
    ...(can.has('share') && items.length === 1 ? [{ title: 'Share', Icon: IconShare, run: onShare }] : []),
    ...(can.has('read') ? [{ title: 'Copy to…', Icon: IconCopy, run: () => onTransfer('copy') }] : []),
    ...(can.has('read') && can.has('remove') ? [{ title: 'Move to…', Icon: IconFolderSymlink, run: () => onTransfer('move') }] : []),
    ...(can.has('rename') && items.length === 1 ? [{ title: 'Rename', Icon: IconPencil, run: onRename }] : []),
    ...(can.has('remove') ? [{ title: 'Delete', Icon: IconTrash, run: onDelete }] : []),
  ];
  return (
    <div className={classes.bar} role="toolbar" aria-label="Selection" data-selection-bar="">
      <UnstyledButton className={classes.clear} aria-label="Clear selection" onClick={onClear}>
        <IconX size={16} stroke={1.75} />
      </UnstyledButton>
      <div className={classes.count} role="status">
        {items.length} selected
        {bytes > 0 && <span>{formatSize(bytes)}</span>}
      </div>
      {actions.map(({ title, Icon, run }) => (
        <UnstyledButton key={title} className={classes.action} aria-label={title} onClick={run}>
          <Icon size={16} stroke={1.75} aria-hidden="true" />
          <span>{title}</span>
        </UnstyledButton>
      ))}
    </div>
  );
}
