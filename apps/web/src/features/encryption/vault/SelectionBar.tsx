import { Button } from '@mantine/core';
import type { CopyKind } from '@sheaf/contract';
import { IconCopy, IconDownload, IconFolderSymlink, IconShare, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import type { ClearFolder, ClearItem } from '../folder/listing.ts';
import { moveWithin } from '../folder/move.ts';
import type { Place } from '../folder/own-parts.ts';
import { saveZip } from '../folder/save-zip.ts';
import { TargetDialog } from './TargetDialog.tsx';
import classes from '../shown/vault.module.css';

type Props = {
  place: Place;
  folder: ClearFolder;
  items: readonly ClearItem[];
  vaultName: string;
  canWrite: boolean;
  onShare: () => void;
  onRemove: (items: readonly ClearItem[]) => Promise<void>;
  /** Called when an action on the selection has finished. */
  onDone: () => void;
};

/** Actions on the selected items of a vault. */
export function SelectionBar({ place, folder, items, vaultName, canWrite, onShare, onRemove, onDone }: Props) {
  const [dialog, setDialog] = useState<CopyKind | 'remove'>();
  const shut = (): void => setDialog(undefined);
  const save = (): void =>
    void saveZip({ place, folder, items, vaultName }, new AbortController().signal).catch((error: unknown) =>
      notifyError(`The zip could not be made. ${errorText(error)}`),
    );
  const count = items.length === 1 ? '1 item' : `${items.length} items`;
  return (
    <div className={classes.selection} role="region" aria-label="Selection">
      <b>{count} chosen</b>
      <Button size="xs" leftSection={<IconDownload size={15} stroke={1.75} />} onClick={save}>
        Download as zip
      </Button>
      {canWrite && (
        <>
          <Button size="xs" leftSection={<IconShare size={15} stroke={1.75} />} onClick={onShare}>
            Share
          </Button>
          <Button size="xs" leftSection={<IconFolderSymlink size={15} stroke={1.75} />} onClick={() => setDialog('move')}>
            Move
          </Button>
          <Button size="xs" leftSection={<IconCopy size={15} stroke={1.75} />} onClick={() => setDialog('copy')}>
            Copy
          </Button>
          <Button size="xs" leftSection={<IconTrash size={15} stroke={1.75} />} onClick={() => setDialog('remove')}>
            Delete
          </Button>
        </>
      )}
      <Button size="xs" variant="subtle" onClick={onDone}>
        Clear
      </Button>
      {(dialog === 'move' || dialog === 'copy') && (
        <TargetDialog
          kind={dialog}
          items={items}
          from={place}
          vaultName={vaultName}
          onChoose={async (to) => {
            await moveWithin({ kind: dialog, items, from: place, folder, to });
            notifyDone(dialog === 'move' ? `${count} moved.` : `${count} copied.`);
            onDone();
          }}
          onClose={shut}
        />
      )}
      {dialog === 'remove' && (
        <ConfirmDialog
          title={`Delete ${count}?`}
          confirm="Delete"
          cancel="Cancel"
          onConfirm={() => {
            shut();
            void onRemove(items);
            onDone();
          }}
          onClose={shut}
        >
          Folders go with everything in them. They are kept, encrypted, where the storage or Sheaf keeps deleted items, and can be brought
          back from there. Elsewhere they are gone.
        </ConfirmDialog>
      )}
    </div>
  );
}
