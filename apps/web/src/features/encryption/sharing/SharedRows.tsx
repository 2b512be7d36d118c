import { IconDownload } from '@tabler/icons-react';
import { formatModified, formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { download } from '../crypt/streams.ts';
import { Thumbnail } from '../vault/Thumbnail.tsx';
import type { OpenFolder, SharedFile, SharedFolder } from './shared-files.ts';
import rows from '../vault/vault.module.css';
import classes from './sharing.module.css';

type Props = {
  folder: OpenFolder;
  /** Address of a folder; undefined is the share itself. */
  hrefOf: (to: SharedFolder | undefined) => string;
  viewOnly: boolean;
  onOpen: (file: SharedFile) => void;
};

/** The folders and files of a folder that is shared from a vault, and the way back up. */
export function SharedRows({ folder, hrefOf, viewOnly, onOpen }: Props) {
  if (folder.folders.length + folder.files.length === 0) return <EmptyState title="This folder is empty" />;
  const save = ({ name, saved }: SharedFile): void =>
    void download(saved).catch((caught: unknown) => notifyError(`Cannot download "${name}". ${errorText(caught)}`));
  return (
    <>
      {folder.above.length > 0 && (
        <nav aria-label="Path" className={rows.path}>
          {folder.above.map((above) => (
            <PathLink key={above.position} href={hrefOf(above.position === '' ? undefined : above)}>
              {above.name}
            </PathLink>
          ))}
        </nav>
      )}
      <ul className={rows.rows} aria-label="Files and folders">
        {folder.folders.map((below) => (
          <li key={below.position} className={classes.row} aria-label={below.name}>
            <PathLink className={rows.name} href={hrefOf(below)}>
              <FileIcon kind="folder" />
              <span>{below.name}</span>
            </PathLink>
          </li>
        ))}
        {folder.files.map((file) => (
          <li key={file.saved.address} className={classes.row} aria-label={file.name}>
            <button type="button" className={rows.name} onClick={() => onOpen(file)}>
              <Thumbnail name={file.name} file={file.seen} stamp={file.seen.nonce} />
              <span>{file.name}</span>
            </button>
            <span className={rows.size}>
              {formatSize(file.saved.size)}
              {file.modified !== undefined && <span className={classes.modified}>, {formatModified(file.modified)}</span>}
            </span>
            {!viewOnly && (
              <IconButton small label={`Download ${file.name}`} onClick={() => save(file)}>
                <IconDownload size={16} stroke={1.75} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
