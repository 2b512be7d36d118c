import { Button, TextInput } from '@mantine/core';
import type { EncryptedFolder } from '@sheaf/contract';
import { IconFilter, IconFolderPlus, IconLock, IconLockOpen, IconUpload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { lockVault, touchVault } from '../crypt/state.ts';
import { NameDialog } from '../dialogs/NameDialog.tsx';
import { useVaultChanges } from '../folder/changes.ts';
import { type ClearItem, clearFolder } from '../folder/listing.ts';
import { forgetParts } from '../folder/own-parts.ts';
import { forgetReadParts } from '../folder/read-parts.ts';
import { Preview } from './Preview.tsx';
import { Proofs } from './Proofs.tsx';
import { Uploads } from './Uploads.tsx';
import { useVaultUploads } from './use-uploads.ts';
import { VaultRow } from './VaultRow.tsx';
import classes from './vault.module.css';

type Props = { folder: EncryptedFolder; linkUri: string; /** Until it locks. */ minutes: number };

/** The contents of an open vault: clear names that only this page knows. */
export function OpenVault({ folder, linkUri, minutes }: Props) {
  const { folderOid: vaultId, name: vaultName, linkUri: rootUri, destinationPath } = folder;
  const { data, error, isPending, refetch } = useQuery(clearFolder(vaultId, rootUri, linkUri));
  const [filter, setFilter] = useState('');
  const [naming, setNaming] = useState<ClearItem | 'folder'>();
  const [shown, setShown] = useState<ClearItem>();
  const input = useRef<HTMLInputElement>(null);
  const go = useGo();
  const reload = (): void => void refetch();
  const place = { vaultId, rootUri, linkUri };
  const changes = useVaultChanges(place, data, reload);
  const uploads = useVaultUploads(place, reload);
  useForgetting(vaultId);

  const addressOf = (uri: string): string => withQuery(`/vaults/${vaultId}`, uri === rootUri ? {} : { folder: uri });
  const items = (data?.items ?? []).filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()));
  const path = data?.path ?? [];
  const segments = linkUri.slice(rootUri.length).split('/').slice(1);
  const storage = destinationPath.split('/')[0] ?? '';
  const open = (item: ClearItem): void => {
    touchVault(vaultId);
    if (item.isFolder) go(addressOf(item.item.linkUri));
    else setShown(item);
  };

  return (
    <div className={classes.vault} onPointerDown={() => touchVault(vaultId)} onKeyDown={() => touchVault(vaultId)}>
      <div className={classes.banner}>
        <IconLockOpen size={18} stroke={1.75} aria-hidden="true" />
        <p>
          <b>Unlocked in this browser.</b> Sheaf’s server and {storage} see encrypted names only.
        </p>
        <span>Locks in {minutes} min</span>
        <Button size="xs" leftSection={<IconLock size={15} stroke={1.75} />} onClick={() => lockVault(vaultId)}>
          Lock now
        </Button>
      </div>
      <div className={classes.content}>
        <nav aria-label="Path" className={classes.path}>
          <PathLink href="/account/mysheaf?catid=encryption">Encryption</PathLink>
          {[vaultName, ...path].map((name, index) => (
            <PathLink
              key={segments.slice(0, index).join('/')}
              href={addressOf([rootUri, ...segments.slice(0, index)].join('/'))}
              aria-current={index === path.length ? 'page' : undefined}
            >
              {name}
            </PathLink>
          ))}
        </nav>
        <h1 className={classes.title}>{path.at(-1) ?? vaultName}</h1>
        <div className={classes.tools}>
          <Button variant="filled" leftSection={<IconUpload size={17} stroke={1.75} />} onClick={() => input.current?.click()}>
            Upload
          </Button>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label="Files to upload"
            onChange={({ currentTarget }) => {
              uploads.add([...(currentTarget.files ?? [])]);
              currentTarget.value = '';
            }}
          />
          <Button leftSection={<IconFolderPlus size={17} stroke={1.75} />} onClick={() => setNaming('folder')}>
            New folder
          </Button>
          <TextInput
            className={classes.filter}
            aria-label="Filter this folder"
            placeholder="Filter this folder"
            leftSection={<IconFilter size={16} stroke={1.75} />}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
        </div>
        <Uploads uploads={uploads} />
        {isPending && <SkeletonRows count={5} />}
        {error && !data && <ErrorState title="The folder cannot be shown" message={errorText(error)} onRetry={reload} />}
        {data && items.length === 0 && (
          <EmptyState title={filter === '' ? 'This folder is empty' : 'No name matches'}>
            {filter === '' && 'Files that you upload are encrypted in this browser before they leave it.'}
          </EmptyState>
        )}
        {data && items.length > 0 && (
          <ul className={classes.rows} aria-label="Files and folders">
            {items.map((item) => (
              <VaultRow
                key={item.item.linkUri}
                item={item}
                folder={data}
                href={item.isFolder ? addressOf(item.item.linkUri) : undefined}
                vaultId={vaultId}
                onOpen={() => open(item)}
                onRename={() => setNaming(item)}
                onRemove={() => changes.remove(item)}
              />
            ))}
          </ul>
        )}
        {data && data.foreign.length > 0 && (
          <details className={classes.foreign}>
            <summary>
              {data.foreign.length} {data.foreign.length === 1 ? 'item is' : 'items are'} not part of this vault
            </summary>
            {data.foreign.slice(0, 100).join(', ')}
          </details>
        )}
        {data && <Proofs place={place} folder={data} onRecorded={reload} />}
      </div>
      {naming !== undefined && (
        <NameDialog
          {...(naming === 'folder'
            ? { title: 'New folder', button: 'Create' }
            : { title: `Rename ${naming.name}`, button: 'Rename', old: naming.name })}
          taken={(data?.items ?? []).map(({ name }) => name)}
          onSave={(name) => (naming === 'folder' ? changes.addFolder(name) : changes.rename(naming, name))}
          onClose={() => setNaming(undefined)}
        />
      )}
      {shown && data && <Preview vaultId={vaultId} folder={data} item={shown} onClose={() => setShown(undefined)} />}
    </div>
  );
}

/** Clear names leave the page's memory with the last screen that shows them. */
function useForgetting(vaultId: string): void {
  const queries = useQueryClient();
  useEffect(
    () => () => {
      queries.removeQueries({ queryKey: ['vault', vaultId] });
      forgetParts(vaultId);
      forgetReadParts();
    },
    [queries, vaultId],
  );
}
