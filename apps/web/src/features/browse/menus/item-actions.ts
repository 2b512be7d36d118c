import { type Item, type ItemOperation, limits } from '@sheaf/contract';
import {
  IconCalendarRepeat,
  IconCheckbox,
  IconClipboardCopy,
  IconCopy,
  IconCut,
  IconDownload,
  IconExternalLink,
  IconEye,
  IconFolderOpen,
  IconFolderSymlink,
  IconInfoCircle,
  IconLink,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconSend,
  IconShare,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react';
import type { RowActions } from '#/features/browse/FolderContents.tsx';
import { previewKindOf } from '#/lib/files/preview-kind.ts';
import { largestSent } from '#/lib/sharing/share-sheet.ts';

/** An entry of a menu. */
export interface MenuAction {
  readonly title: string;
  readonly Icon: TablerIcon;
  /** Entries of different groups are divided by a line. */
  readonly group: 'open' | 'pass on' | 'place' | 'change';
  /** The keys that do the same. */
  readonly keys?: string;
  /** The bar of selected items shows it too. */
  readonly isMain?: true;
  readonly isDanger?: true;
  readonly run: () => void;
}

interface Options {
  readonly items: readonly Item[];
  readonly can: ReadonlySet<ItemOperation>;
  readonly actions: RowActions;
  /** Selects the one item; absent where it is selected. */
  readonly onSelect?: () => void;
  /** Asks whether to delete the items. */
  readonly onRemove: () => void;
}

/** Everything that can be done with these items, for the menu of a row, the context menu and the bar of selected items. */
export function itemActions({ items, can, actions, onSelect, onRemove }: Options): readonly MenuAction[] {
  const [first] = items;
  const one = items.length === 1 ? first : undefined;
  const isFolder = one?.fileType === 'FOLDER';
  const opens = one !== undefined && (isFolder || (can.has('read') && previewKindOf(one) !== undefined));
  const moves = can.has('read') && can.has('remove');
  const open = isFolder ? { title: 'Open', Icon: IconFolderOpen } : { title: 'Preview', Icon: IconEye };
  return [
    ...(opens ? [{ ...open, group: 'open' as const, keys: 'Enter', run: () => actions.open(one) }] : []),
    ...(opens ? [{ title: 'Open in new tab', Icon: IconExternalLink, group: 'open' as const, run: () => actions.openTab(one) }] : []),
    ...(can.has('read')
      ? [{ title: 'Download', Icon: IconDownload, group: 'open' as const, isMain: true as const, run: () => actions.download(items) }]
      : []),
    ...(onSelect ? [{ title: 'Select', Icon: IconCheckbox, group: 'open' as const, keys: 'Ctrl Space', run: onSelect }] : []),
    ...(can.has('share') && items.length <= limits.sharedItems
      ? [{ title: 'Share', Icon: IconShare, group: 'pass on' as const, isMain: true as const, run: () => actions.share(items) }]
      : []),
    ...sendAction(one, can, actions),
    ...(one ? [{ title: 'Copy link address', Icon: IconLink, group: 'pass on' as const, run: () => actions.copyAddress(one) }] : []),
    ...(one ? [pinAction(one, actions)] : []),
    { title: 'Details', Icon: IconInfoCircle, group: 'pass on', keys: 'Alt I', run: actions.info },
    ...(can.has('read')
      ? [
          { title: 'Copy', Icon: IconClipboardCopy, group: 'place' as const, keys: 'Ctrl C', run: () => actions.clip('copy', items) },
          ...(moves
            ? [{ title: 'Cut', Icon: IconCut, group: 'place' as const, keys: 'Ctrl X', run: () => actions.clip('move', items) }]
            : []),
          { title: 'Copy to…', Icon: IconCopy, group: 'place' as const, isMain: true as const, run: () => actions.transfer('copy', items) },
        ]
      : []),
    ...(moves
      ? [
          {
            title: 'Move to…',
            Icon: IconFolderSymlink,
            group: 'place' as const,
            isMain: true as const,
            run: () => actions.transfer('move', items),
          },
        ]
      : []),
    ...(one && isFolder && can.has('read')
      ? [{ title: 'Back up…', Icon: IconCalendarRepeat, group: 'place' as const, run: () => actions.transfer('mirror', items) }]
      : []),
    ...(one && can.has('rename')
      ? [
          {
            title: 'Rename',
            Icon: IconPencil,
            group: 'change' as const,
            keys: 'F2',
            isMain: true as const,
            run: () => actions.rename(one.linkUri),
          },
        ]
      : []),
    ...(can.has('remove')
      ? [
          {
            title: 'Delete',
            Icon: IconTrash,
            group: 'change' as const,
            keys: 'Delete',
            isMain: true as const,
            isDanger: true as const,
            run: onRemove,
          },
        ]
      : []),
  ];
}

/** Only files, and those that a browser can hold: the share sheet takes no addresses of bytes. */
function sendAction(item: Item | undefined, can: ReadonlySet<ItemOperation>, { send }: RowActions): readonly MenuAction[] {
  if (!item || !send || !can.has('read') || item.fileType === 'FOLDER' || (item.size ?? 0) > largestSent) return [];
  return [{ title: 'Send to…', Icon: IconSend, group: 'pass on', run: () => send(item) }];
}

function pinAction(item: Item, { isPinned, togglePin }: RowActions): MenuAction {
  const pinned = isPinned(item);
  return {
    title: pinned ? 'Unpin from the menu' : 'Pin to the menu',
    Icon: pinned ? IconPinnedOff : IconPin,
    group: 'pass on',
    run: () => togglePin(item, pinned),
  };
}
