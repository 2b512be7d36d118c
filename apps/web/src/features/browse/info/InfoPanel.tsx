import type { Item } from '@sheaf/contract';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { formatSize, itemCount } from '#/lib/format.ts';
import { shareList } from '#/lib/sharing/shares.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { Details } from './Details.tsx';
import type { InfoProps } from './InfoPlace.tsx';
import { ItemActivity } from './ItemActivity.tsx';
import { ItemVersions } from './ItemVersions.tsx';
import { Sharing } from './Sharing.tsx';
import classes from './info.module.css';

const tabsOfFolder = ['Details', 'Sharing', 'Activity'] as const;
const tabsOfFile = [...tabsOfFolder, 'Versions'] as const;
type Tab = (typeof tabsOfFile)[number];

/** Details of the selected item: facts, who else sees it, what was done with it. */
export function InfoPanel({ items, folderPath, canShare, onShare, onChanged, onClose }: InfoProps) {
  const [first, ...others] = items;
  const [chosen, setTab] = useState<Tab>('Details');
  const { data } = useQuery(shareList);
  const id = useId();
  if (!first) return null;
  const shares = data?.filter(({ linkUri, itemCount }) => linkUri === first.linkUri && itemCount === undefined);
  const isOne = others.length === 0;
  const tabs: readonly Tab[] = first.fileType === 'FILE' ? tabsOfFile : tabsOfFolder;
  const tab = tabs.includes(chosen) ? chosen : 'Details';
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = by === undefined ? undefined : tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    setTab(next);
    document.getElementById(`${id}${next}`)?.focus();
  };
  return (
    <>
      <header className={classes.head}>
        <FileIcon kind={isOne ? fileKindOf(first) : 'plain'} size={24} />
        <h2 title={isOne ? first.name : undefined}>{isOne ? first.name : itemCount(items.length)}</h2>
        <IconButton label="Close the details" withTooltip={false} onClick={onClose}>
          <IconX size={18} stroke={1.75} />
        </IconButton>
      </header>
      {isOne ? (
        <>
          <div className={classes.tabs} role="tablist" aria-label="Details" onKeyDown={move}>
            {tabs.map((title) => (
              <button
                key={title}
                type="button"
                id={`${id}${title}`}
                role="tab"
                className={classes.tab}
                aria-selected={title === tab}
                aria-controls={`${id}panel`}
                tabIndex={title === tab ? 0 : -1}
                onClick={() => setTab(title)}
              >
                {title}
                {title === 'Sharing' && shares && shares.length > 0 && <small>{shares.length}</small>}
              </button>
            ))}
          </div>
          <div className={classes.body} id={`${id}panel`} role="tabpanel" aria-labelledby={`${id}${tab}`} tabIndex={0}>
            {tab === 'Details' && <Details key={first.linkUri} item={first} folderPath={folderPath} />}
            {tab === 'Sharing' && <Sharing item={first} shares={shares} onShare={canShare ? () => onShare(first) : undefined} />}
            {tab === 'Activity' && <ItemActivity key={first.linkUri} linkUri={first.linkUri} />}
            {tab === 'Versions' && <ItemVersions key={first.linkUri} item={first} onChanged={onChanged} />}
          </div>
        </>
      ) : (
        <div className={classes.body}>
          <Sum items={items} />
        </div>
      )}
    </>
  );
}

/** Several items together. */
function Sum({ items }: { items: readonly Item[] }) {
  const folders = items.filter(({ fileType }) => fileType === 'FOLDER').length;
  const sizes = items.flatMap(({ size }) => size ?? []);
  const files = items.length - folders;
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Folders</dt>
        <dd>{folders.toLocaleString()}</dd>
      </div>
      <div>
        <dt>Files</dt>
        <dd>{files.toLocaleString()}</dd>
      </div>
      {sizes.length > 0 && (
        <div>
          <dt>Size of files</dt>
          <dd>
            {sizes.length < files && 'at least '}
            {formatSize(sizes.reduce((sum, size) => sum + size, 0))}
          </dd>
        </div>
      )}
    </dl>
  );
}
