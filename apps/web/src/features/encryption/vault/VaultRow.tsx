import { Menu } from '@mantine/core';
import { IconDownload, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { formatModified, formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyError } from '#/ui/feedback/notify.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { ItemMenu } from '#/ui/ItemMenu.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { download } from '../crypt/streams.ts';
import { fileOf } from './files.ts';
import type { ClearItem } from './listing.ts';
import classes from './vault.module.css';

type Props = {
  item: ClearItem;
  vaultId: string;
  /** Of a folder. */
  href: string | undefined;
  onOpen: () => void;
  onRename: () => void;
  onRemove: () => void;
};

/** An item of an open vault. */
export function VaultRow({ item, vaultId, href, onOpen, onRename, onRemove }: Props) {
  const [asks, setAsks] = useState(false);
  const { name, isFolder, size, item: stored } = item;
  const file = fileOf(vaultId, item);
  const save = (): void => {
    if (file) void download(file).catch((error: unknown) => notifyError(`Cannot download "${name}". ${errorText(error)}`));
  };
  const label = (
    <>
      <FileIcon kind={fileKindOf({ name, fileType: stored.fileType })} />
      <span>{name}</span>
    </>
  );
  return (
    <li className={classes.row} aria-label={name}>
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
      <ItemMenu of={name}>
        {file && (
          <Menu.Item leftSection={<IconDownload size={16} stroke={1.75} />} onClick={save}>
            Download
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={onRename}>
          Rename
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={16} stroke={1.75} />} onClick={() => setAsks(true)}>
          Delete
        </Menu.Item>
      </ItemMenu>
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
          {isFolder ? 'The folder and everything in it are deleted from the storage.' : 'The file is deleted from the storage.'}
        </ConfirmDialog>
      )}
    </li>
  );
}
