import type { Item, ItemOperation } from '@sheaf/contract';
import type { RowActions } from '#/features/browse/FolderContents.tsx';
import { ContextMenu } from './ContextMenu.tsx';
import { type FolderActions, folderActions } from './folder-actions.ts';
import { itemActions } from './item-actions.ts';
import type { MenuRequest } from './use-context-menu.ts';

type Props = {
  request: MenuRequest;
  folderName: string;
  /** The selected items. */
  items: readonly Item[];
  can: ReadonlySet<ItemOperation>;
  rowActions: RowActions;
  ofFolder: FolderActions;
  onClose: () => void;
};

/** The context menu of the selected items, or of the folder. */
export function FolderMenu({ request, folderName, items, can, rowActions, ofFolder, onClose }: Props) {
  const [first, ...others] = items;
  if (!request.isOfRows || !first)
    return <ContextMenu place={request} title={folderName} actions={folderActions(ofFolder)} onClose={onClose} />;
  const entries = itemActions({ items, can, actions: rowActions, onRemove: rowActions.remove });
  return (
    <ContextMenu place={request} title={others.length === 0 ? first.name : `${items.length} items`} actions={entries} onClose={onClose} />
  );
}
