import { Checkbox } from '@mantine/core';
import { IconAlertTriangle, IconDownload, IconPencil, IconShare, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { formatModified, formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyError } from '#/ui/feedback/notify.ts';
import { ItemMenu } from '#/ui/menu/ItemMenu.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { type VaultFile, download } from '../crypt/streams.ts';
import { fileOf } from '../folder/files.ts';
import { type Judged, judge, warningOf } from '../folder/judge.ts';
import { type ClearFolder, type ClearItem, glanceOf } from '../folder/listing.ts';
import { Thumbnail } from '../shown/Thumbnail.tsx';
import classes from '../shown/vault.module.css';

type Props = {
  item: ClearItem;
  folder: ClearFolder;
  vaultId: string;
  /** Address of a folder; undefined for a file. */
  href: string | undefined;
  /** Whether items may be changed and shared. */
  canWrite: boolean;
  isChosen: boolean;
  onToggle: () => void;
  onOpen: () => void;
  onShare: () => void;
  onRename: () => void;
  onRemove: () => void;
};

/** An item of an open vault. */
export function VaultRow({ item, folder, vaultId, href, canWrite, isChosen, onToggle, onOpen, onShare, onRename, onRemove }: Props) {
  const [asks, setAsks] = useState(false);
  const [doubtful, setDoubtful] = useState<Judged>();
  const { name, isFolder, size, item: stored } = item;
  const file = fileOf(vaultId, item);
  const failed = (error: unknown): void => notifyError(`Cannot download "${name}". ${errorText(error)}`);
  const save = async (read: VaultFile): Promise<void> => {
    const judged = await judge(folder, read);
    if (warningOf(judged) === undefined) await download(judged.file);
    else setDoubtful(judged);
  };
  const label = (
    <>
      <Thumbnail name={name} file={file} isFolder={isFolder} stamp={String(stored.modified ?? '')} />
      <span>{name}</span>
      {!isFolder && glanceOf(folder, item) === 'otherSize' && (
        <span className={classes.doubt} title="Its size is not the one that was recorded">
          <IconAlertTriangle size={16} stroke={1.75} aria-label="Its size is not the one that was recorded" />
        </span>
      )}
    </>
  );
  return (
    <li className={classes.row} aria-label={name}>
      <Checkbox size="xs" aria-label={`Choose ${name}`} checked={isChosen} onChange={onToggle} />
      {href === undefined ? (
        <button type="button" className={classes.name} onClick={onOpen}>
          {label}
        </button>
      ) : (
        <PathLink className={classes.name} href={href}>
          {label}
        </PathLink>
      )}
      <span className={classes.size}>{isFolder ? '' : size === undefined ? 'Damaged' : formatSize(size)}</span>
      <span className={classes.modified}>{stored.modified === undefined ? '' : formatModified(stored.modified)}</span>
      {(canWrite || file) && (
        <ItemMenu of={name}>
          {file && (
            <Menu.Item leftSection={<IconDownload size={16} stroke={1.75} />} onClick={() => void save(file).catch(failed)}>
              Download
            </Menu.Item>
          )}
          {canWrite && (
            <>
              <Menu.Item leftSection={<IconShare size={16} stroke={1.75} />} onClick={onShare}>
                Share
              </Menu.Item>
              <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={onRename}>
                Rename
              </Menu.Item>
              <Menu.Item leftSection={<IconTrash size={16} stroke={1.75} />} onClick={() => setAsks(true)}>
                Delete
              </Menu.Item>
            </>
          )}
        </ItemMenu>
      )}
      {doubtful && (
        <ConfirmDialog
          title={`Download ${name}?`}
          confirm="Download anyway"
          cancel="Cancel"
          onConfirm={() => {
            setDoubtful(undefined);
            void download(doubtful.file).catch(failed);
          }}
          onClose={() => setDoubtful(undefined)}
        >
          {warningOf(doubtful)}
        </ConfirmDialog>
      )}
      {asks && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          confirm="Delete"
          cancel="Cancel"
          onConfirm={() => {
            setAsks(false);
            onRemove();
          }}
          onClose={() => setAsks(false)}
        >
          {isFolder ? 'The folder goes with everything in it. ' : ''}It is kept, encrypted, where the storage or Sheaf keeps deleted items,
          and can be brought back from there. Elsewhere it is gone.
        </ConfirmDialog>
      )}
    </li>
  );
}
