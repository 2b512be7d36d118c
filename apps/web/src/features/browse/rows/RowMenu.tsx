import { Menu } from '@mantine/core';
import type { Item, ItemOperation } from '@sheaf/contract';
import {
  IconCalendarRepeat,
  IconCheckbox,
  IconCopy,
  IconDots,
  IconDownload,
  IconEye,
  IconFolderOpen,
  IconFolderSymlink,
  IconPencil,
  IconShare,
  IconTrash,
} from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { RowActions } from '#/features/browse/FolderContents.tsx';
import type { SelectMode } from '#/features/browse/selection/selection.ts';
import { previewKindOf } from '#/lib/files/preview-kind.ts';
import { IconButton } from '#/ui/IconButton.tsx';

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
  const isFolder = item.fileType === 'FOLDER';
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
        {isFolder ? (
          <Menu.Item leftSection={<IconFolderOpen size={18} stroke={1.75} />} onClick={() => actions.open(item)}>
            Open
          </Menu.Item>
        ) : (
          can.has('read') &&
          previewKindOf(item) && (
            <Menu.Item leftSection={<IconEye size={18} stroke={1.75} />} onClick={() => actions.open(item)}>
              Preview
            </Menu.Item>
          )
        )}
        {can.has('read') && (
          <Menu.Item leftSection={<IconDownload size={18} stroke={1.75} />} onClick={() => actions.download([item])}>
            Download
          </Menu.Item>
        )}
        {!isChosen && (
          <Menu.Item leftSection={<IconCheckbox size={18} stroke={1.75} />} onClick={() => onChoose('toggle')}>
            Select
          </Menu.Item>
        )}
        {can.has('share') && (
          <Menu.Item leftSection={<IconShare size={18} stroke={1.75} />} onClick={() => actions.share(item)}>
            Share
          </Menu.Item>
        )}
        {can.has('read') && (
          <Menu.Item leftSection={<IconCopy size={18} stroke={1.75} />} onClick={() => actions.transfer('copy', [item])}>
            Copy to…
          </Menu.Item>
        )}
        {can.has('read') && can.has('remove') && (
          <Menu.Item leftSection={<IconFolderSymlink size={18} stroke={1.75} />} onClick={() => actions.transfer('move', [item])}>
            Move to…
          </Menu.Item>
        )}
        {isFolder && can.has('read') && (
          <Menu.Item leftSection={<IconCalendarRepeat size={18} stroke={1.75} />} onClick={() => actions.transfer('mirror', [item])}>
            Back up…
          </Menu.Item>
        )}
        {can.has('rename') && (
          <Menu.Item leftSection={<IconPencil size={18} stroke={1.75} />} onClick={() => actions.rename(item.linkUri)}>
            Rename
          </Menu.Item>
        )}
        {can.has('remove') && (
          <Menu.Item
            data-danger
            leftSection={<IconTrash size={18} stroke={1.75} />}
            onClick={() => {
              if (!isChosen) onChoose('only');
              actions.remove();
            }}
          >
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
