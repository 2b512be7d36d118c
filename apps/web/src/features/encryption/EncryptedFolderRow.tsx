import type { EncryptedFolder } from '@sheaf/contract';
import { formatModified } from '#/lib/format.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import classes from './encryption.module.css';

/** An encrypted folder: its name, location and date. */
export function EncryptedFolderRow({ folder: { name, destinationPath, createdAt } }: { folder: EncryptedFolder }) {
  return (
    <li className={classes.row} aria-label={name}>
      <FileIcon kind="folder" />
      <b>{name}</b>
      <span>{destinationPath.split('/').join(' / ')}</span>
      <time dateTime={new Date(createdAt * 1000).toISOString()}>{formatModified(createdAt)}</time>
    </li>
  );
}
