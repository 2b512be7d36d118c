import { fileKindOf } from '#/lib/files/file-kind.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import classes from './shares.module.css';

type Props = {
  /** Path of the item, separated by slashes. */
  path: string;
  isFolder: boolean;
  /** How many further items belong to the share. */
  others?: number;
};

/** The item of a dialog, or the first of several: its name and path. */
export function SharedItem({ path, isFolder, others = 0 }: Props) {
  const names = path.split('/');
  const name = names.at(-1) ?? '';
  return (
    <div className={classes.item}>
      <span className={classes.tile}>
        <FileIcon kind={isFolder ? 'folder' : fileKindOf({ name })} size={24} />
      </span>
      <span className={classes.words}>
        <b>{others === 0 ? name : `${name} and ${others.toLocaleString()} more`}</b>
        {names.length > 1 && <small>{names.slice(0, -1).join(' / ')}</small>}
      </span>
    </div>
  );
}
