import {
  IconChartTreemap,
  IconCheckbox,
  IconClipboard,
  IconFileText,
  IconFolderPlus,
  IconInfoCircle,
  IconLink,
  IconRefresh,
} from '@tabler/icons-react';
import type { MenuAction } from './item-actions.ts';

export interface FolderActions {
  /** Undefined where folders cannot be made. */
  readonly onAddFolder: (() => void) | undefined;
  /** Undefined where files cannot be written. */
  readonly onAddText: (() => void) | undefined;
  /** Undefined where nothing can be pasted. */
  readonly onPaste: (() => void) | undefined;
  /** Undefined in an empty folder. */
  readonly onSelectAll: (() => void) | undefined;
  readonly onUsage: () => void;
  readonly onInfo: () => void;
  readonly onCopyAddress: () => void;
  readonly onRefresh: () => void;
}

/** What can be done with the open folder, for the context menu beside its rows. */
export function folderActions({
  onAddFolder,
  onAddText,
  onPaste,
  onSelectAll,
  onUsage,
  onInfo,
  onCopyAddress,
  onRefresh,
}: FolderActions): readonly MenuAction[] {
  return [
    ...(onAddFolder ? [{ title: 'New folder', Icon: IconFolderPlus, group: 'change' as const, keys: 'Alt N', run: onAddFolder }] : []),
    ...(onAddText ? [{ title: 'New text file', Icon: IconFileText, group: 'change' as const, run: onAddText }] : []),
    ...(onPaste ? [{ title: 'Paste', Icon: IconClipboard, group: 'change' as const, keys: 'Ctrl V', run: onPaste }] : []),
    ...(onSelectAll ? [{ title: 'Select all', Icon: IconCheckbox, group: 'open' as const, keys: 'Ctrl A', run: onSelectAll }] : []),
    { title: 'Usage', Icon: IconChartTreemap, group: 'open', run: onUsage },
    { title: 'Details', Icon: IconInfoCircle, group: 'open', keys: 'Alt I', run: onInfo },
    { title: 'Copy link address', Icon: IconLink, group: 'open', run: onCopyAddress },
    { title: 'Refresh', Icon: IconRefresh, group: 'open', run: onRefresh },
  ];
}
