import { type Weblink, weblinkPagePath } from '@sheaf/contract';
import { IconCheck, IconCopy, IconLock, IconSettings, IconTrash, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { formatModified } from '#/lib/format.ts';
import { copyText } from '#/ui/copy-text.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { ItemMenu } from '#/ui/menu/ItemMenu.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { OverRow, RowLink } from '#/ui/RowLink.tsx';
import { formatMoment } from '../expiration-words.ts';
import { expiryOf } from '../share-link.ts';
import classes from '../shares.module.css';

type Props = {
  weblink: Weblink;
  /** Current time of the row, epoch seconds. */
  now: number;
  /** Whether it is being deleted. */
  isGoing: boolean;
  onSettings: () => void;
  onDelete: () => void;
};

/** A share; clicking anywhere opens its public page. */
export function ShareRow({ weblink, now, isGoing, onSettings, onDelete }: Props) {
  const {
    weblinkId,
    name,
    isFolder,
    hasPassword,
    nbrVisits,
    createdTimeStamp,
    sharelinkurl,
    downloadLimit,
    downloads = 0,
    uploadOnly = false,
    sealed,
  } = weblink;
  const [isCopied, setCopied] = useState(false);
  const expiry = expiryOf(weblink);
  const isOver = expiry !== undefined && expiry <= now;
  return (
    <div role="row" aria-label={name} className={classes.row} aria-busy={isGoing || undefined}>
      <span role="cell" className={classes.name}>
        <FileIcon kind={isFolder ? 'folder' : fileKindOf({ name })} />
        <RowLink
          className={classes.link}
          href={weblinkPagePath(weblinkId)}
          title={sealed === undefined ? sharelinkurl : 'Its whole address, with the key, is shown in the open vault'}
        >
          {name}
        </RowLink>
        {uploadOnly && <IconUpload className={classes.lock} size={14} stroke={2} role="img" aria-label="Visitors only add files" />}
        {hasPassword && <IconLock className={classes.lock} size={14} stroke={2} role="img" aria-label="Has a password" />}
        {sealed === undefined && (
          <OverRow className={classes.over}>
            <IconButton
              small
              label={isCopied ? 'Copied' : `Copy the address of ${name}`}
              withTooltip={false}
              onClick={() => {
                copyText(sharelinkurl).then(setCopied, () => setCopied(false));
              }}
            >
              {isCopied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.75} />}
            </IconButton>
          </OverRow>
        )}
      </span>
      <span role="cell" className={classes.extra}>
        {nbrVisits.toLocaleString()}
        {downloadLimit !== undefined && (
          <small className={classes.used}>
            {downloads.toLocaleString()} of {downloadLimit.toLocaleString()} {uploadOnly ? 'files' : 'downloads'}
          </small>
        )}
      </span>
      <span role="cell" className={classes.extra}>
        {formatModified(createdTimeStamp, new Date(now * 1000))}
      </span>
      <span role="cell" className={classes.extra} data-over={isOver || undefined}>
        {expiry === undefined ? 'Never' : `${isOver ? 'Expired ' : ''}${formatMoment(expiry)}`}
      </span>
      <OverRow role="cell" className={classes.over}>
        <ItemMenu of={name} disabled={isGoing}>
          <Menu.Item leftSection={<IconSettings size={18} stroke={1.75} />} onClick={onSettings}>
            Settings
          </Menu.Item>
          <Menu.Item data-danger leftSection={<IconTrash size={18} stroke={1.75} />} onClick={onDelete}>
            Delete
          </Menu.Item>
        </ItemMenu>
      </OverRow>
    </div>
  );
}
