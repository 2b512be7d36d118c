import type { Item } from '@sheaf/contract';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';

type Props = { items: readonly Item[]; hasBin: boolean; binDays?: number | undefined; onConfirm: () => void; onClose: () => void };

/** Asks once before deleting, and says whether it can be undone. */
export function DeleteDialog({ items, hasBin, binDays, onConfirm, onClose }: Props) {
  const [only] = items;
  const hasFolder = items.some(({ fileType }) => fileType === 'FOLDER');
  return (
    <ConfirmDialog
      title={items.length === 1 ? 'Delete this item?' : `Delete ${items.length} items?`}
      confirm="Delete"
      cancel="Cancel"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {items.length === 1 ? <b>{only?.name}</b> : `${items.length} items`}
      {hasFolder && (items.length === 1 ? ' and everything in it' : ' and everything in their folders')} will be{' '}
      {hasBin
        ? "moved to the storage's bin, and can be brought back from there."
        : binDays === undefined
          ? 'deleted at the storage. This cannot be undone.'
          : `kept in a hidden folder of the storage for ${binDays === 1 ? 'a day' : `${binDays} days`}, and can be brought back until then.`}
    </ConfirmDialog>
  );
}
