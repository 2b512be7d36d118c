import { Checkbox } from '@mantine/core';
import type { Item } from '@sheaf/contract';
import { useState } from 'react';
import { daysOf } from '#/lib/format.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import classes from './DeleteDialog.module.css';

type Props = {
  items: readonly Item[];
  hasBin: boolean;
  binDays?: number | undefined;
  onConfirm: (isForEver: boolean) => void;
  onClose: () => void;
};

/** Asks once before deleting, and says whether it can be undone. */
export function DeleteDialog({ items, hasBin, binDays, onConfirm, onClose }: Props) {
  const [isForEver, setForEver] = useState(false);
  const [only] = items;
  const hasFolder = items.some(({ fileType }) => fileType === 'FOLDER');
  const isKept = binDays !== undefined && !isForEver;
  return (
    <ConfirmDialog
      title={items.length === 1 ? 'Delete this item?' : 'Delete these items?'}
      confirm={binDays !== undefined && isForEver ? 'Delete permanently' : 'Delete'}
      cancel="Cancel"
      onConfirm={() => onConfirm(isForEver)}
      onClose={onClose}
    >
      {items.length === 1 ? <b>{only?.name}</b> : `${items.length} items`}
      {hasFolder && (items.length === 1 ? ' and everything in it' : ' and everything in their folders')} will be{' '}
      {hasBin
        ? "moved to the storage's bin, and can be brought back from there."
        : isKept
          ? `kept in a hidden folder of the storage for ${daysOf(binDays)}, and can be brought back until then.`
          : 'deleted at the storage. This cannot be undone.'}
      {binDays !== undefined && (
        <Checkbox
          className={classes.forEver}
          label="Delete permanently, which frees the space at once"
          checked={isForEver}
          onChange={({ currentTarget }) => setForEver(currentTarget.checked)}
        />
      )}
    </ConfirmDialog>
  );
}
