import { IconDownload } from '@tabler/icons-react';
import { formatModified, formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { type VaultFile, download } from '../crypt/streams.ts';
import type { OpenFolder, ReadOnlyFile, ReadOnlyFolder } from '../folder/read-only.ts';
import { Thumbnail } from './Thumbnail.tsx';
import classes from './vault.module.css';

type Props = {
  folder: OpenFolder;
  /** Address of a folder; undefined means the root. */
  hrefOf: (to: ReadOnlyFolder | undefined) => string;
  /** Visitors may view, but not download. */
  viewOnly?: boolean;
  onOpen: (file: ReadOnlyFile) => void;
};

/** Lists the contents of a read-only folder, with a row for its parent. */
export function ReadOnlyRows({ folder, hrefOf, viewOnly = false, onOpen }: Props) {
  const isEmpty = folder.folders.length + folder.files.length === 0;
  return (
    <>
      {folder.above.length > 0 && (
        <nav aria-label="Path" className={classes.path}>
          {folder.above.map((above) => (
            <PathLink key={above.position} href={hrefOf(above.position === '' ? undefined : above)}>
              {above.name}
            </PathLink>
          ))}
        </nav>
      )}
      {isEmpty && <EmptyState title="This folder is empty" />}
      {!isEmpty && (
        <ul className={classes.rows} aria-label="Files and folders">
          {folder.folders.map((below) => (
            <li key={below.position} className={classes.readOnly} aria-label={below.name}>
              <PathLink className={classes.name} href={hrefOf(below)}>
                <FileIcon kind="folder" />
                <span>{below.name}</span>
              </PathLink>
            </li>
          ))}
          {folder.files.map((file) => (
            <FileRow key={file.name} file={file} viewOnly={viewOnly} onOpen={() => onOpen(file)} />
          ))}
        </ul>
      )}
    </>
  );
}

type FileRowProps = { file: ReadOnlyFile; viewOnly: boolean; onOpen: () => void };

function FileRow({ file: { name, modified, stamp, seen, saved }, viewOnly, onOpen }: FileRowProps) {
  const save = (from: VaultFile): void =>
    void download(from).catch((caught: unknown) => notifyError(`Cannot download "${name}". ${errorText(caught)}`));
  return (
    <li className={classes.readOnly} aria-label={name}>
      <button type="button" className={classes.name} onClick={onOpen}>
        <Thumbnail name={name} file={seen} stamp={stamp} />
        <span>{name}</span>
      </button>
      <span className={classes.size}>
        {saved ? formatSize(saved.size) : 'Damaged'}
        {modified !== undefined && <span className={classes.date}>, {formatModified(modified)}</span>}
      </span>
      {!viewOnly && saved && (
        <IconButton small label={`Download ${name}`} onClick={() => save(saved)}>
          <IconDownload size={16} stroke={1.75} />
        </IconButton>
      )}
    </li>
  );
}
