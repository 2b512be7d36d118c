import { Button } from '@mantine/core';
import type { EncryptedFolder } from '@sheaf/contract';
import { IconFolderPlus, IconShare } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { useFileDrops } from '#/lib/files/file-drops.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import type { ShareTermsProps } from '#/lib/sharing/share-terms.ts';
import { gatherChosen, gatherDropped } from '#/lib/uploads/gather-files.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import { touchVault } from '../crypt/state.ts';
import { NameDialog } from '../dialogs/NameDialog.tsx';
import { useVaultChanges } from '../folder/changes.ts';
import { fileOf } from '../folder/files.ts';
import { judge } from '../folder/judge.ts';
import { type ClearItem, clearFolder } from '../folder/listing.ts';
import { type Place, forgetParts } from '../folder/own-parts.ts';
import { forgetReadParts } from '../folder/read-parts.ts';
import { walk } from '../folder/walk.ts';
import { ShareDialog } from '../sharing/ShareDialog.tsx';
import { SharesDialog } from '../sharing/SharesDialog.tsx';
import { FinderTools } from '../shown/FinderTools.tsx';
import { Found, type FoundItem } from '../shown/Found.tsx';
import { Banner, Path } from '../shown/Head.tsx';
import { Preview } from '../shown/Preview.tsx';
import { useFinder } from '../shown/use-finder.ts';
import { useForgetting } from '../shown/use-forgetting.ts';
import { Interrupted, useInterrupted } from './Interrupted.tsx';
import { Proofs } from './Proofs.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { UploadButtons } from './UploadButtons.tsx';
import { Uploads } from './Uploads.tsx';
import { useVaultUploads } from './use-uploads.ts';
import { VaultRow } from './VaultRow.tsx';
import classes from '../shown/vault.module.css';

type Props = {
  folder: EncryptedFolder;
  linkUri: string;
  /** Minutes until it locks. */
  minutes: number;
  Terms: ComponentType<ShareTermsProps>;
};

/** Shows the contents of an open vault; only this page knows the clear names. */
export function OpenVault({ folder, linkUri, minutes, Terms }: Props) {
  const { folderOid: vaultId, name: vaultName, linkUri: rootUri, destinationPath, member } = folder;
  const canWrite = member?.isReadOnly !== true;
  const { data, error, isPending, refetch } = useQuery(clearFolder(vaultId, rootUri, linkUri));
  const finder = useFinder(linkUri);
  const [naming, setNaming] = useState<ClearItem | 'folder'>();
  const [shown, setShown] = useState<ClearItem>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [most, setMost] = useState(rowsAtOnce);
  const [sharing, setSharing] = useState<readonly ClearItem[]>();
  const [listsShares, setListsShares] = useState(false);
  const { filter, sought } = finder;
  const go = useGo();
  const reload = (): void => void refetch();
  const place = { vaultId, rootUri, linkUri };
  const changes = useVaultChanges(place, data, reload);
  const uploads = useVaultUploads(place, reload);
  const over = useFileDrops({
    text: canWrite ? 'Drop to encrypt and upload to this folder' : 'You may only read in this Space',
    onDrop: (dropped) =>
      canWrite && void gatherDropped(dropped).then(uploads.add, (caught: unknown) => notifyError(`Cannot upload. ${errorText(caught)}`)),
  });
  const interrupted = useInterrupted(place, uploads.list.length);
  useForgetting(vaultId, forgetAllParts);

  const addressOf = (uri: string): string => withQuery(`/vaults/${vaultId}`, uri === rootUri ? {} : { folder: uri });
  const items = (data?.items ?? []).filter(finder.matches);
  const selected = items.filter(({ item }) => chosen.has(item.linkUri));
  const path = data?.path ?? [];
  const open = (item: ClearItem): void => {
    touchVault(vaultId);
    if (item.isFolder) go(addressOf(item.item.linkUri));
    else setShown(item);
  };

  return (
    <div className={classes.vault} onPointerDown={() => touchVault(vaultId)} onKeyDown={() => touchVault(vaultId)}>
      <Banner vaultId={vaultId} storage={destinationPath.split('/')[0] ?? ''} minutes={minutes} />
      <div className={classes.content}>
        <Path names={[vaultName, ...path]} rootUri={rootUri} linkUri={linkUri} addressOf={addressOf} />
        <h1 className={classes.title}>{path.at(-1) ?? vaultName}</h1>
        <div className={classes.tools}>
          {canWrite && (
            <>
              <UploadButtons onFiles={(files) => uploads.add(gatherChosen(files))} />
              <Button leftSection={<IconFolderPlus size={17} stroke={1.75} />} onClick={() => setNaming('folder')}>
                New folder
              </Button>
              <Button leftSection={<IconShare size={17} stroke={1.75} />} onClick={() => setListsShares(true)}>
                Shared from this vault
              </Button>
            </>
          )}
          <FinderTools finder={finder} />
        </div>
        {over !== undefined && (
          <p className={classes.selection} role="status">
            {over}
          </p>
        )}
        <Uploads uploads={uploads} />
        <Interrupted place={place} names={interrupted.names} onDropped={interrupted.reload} />
        {selected.length > 0 && data && (
          <SelectionBar
            place={place}
            folder={data}
            items={selected}
            vaultName={vaultName}
            canWrite={canWrite}
            onShare={() => setSharing(selected)}
            onRemove={changes.remove}
            onDone={() => {
              setChosen(new Set());
              reload();
            }}
          />
        )}
        {sought !== undefined && (
          <Found
            key={`${linkUri}\n${sought}`}
            vaultId={vaultId}
            words={sought}
            walk={(signal) => itemsBelow(place, addressOf, signal)}
            onEnd={finder.endSearch}
          />
        )}
        {isPending && <SkeletonRows count={5} />}
        {error && !data && <ErrorState title="The folder cannot be shown" message={errorText(error)} onRetry={reload} />}
        {data && sought === undefined && items.length === 0 && (filter !== '' || uploads.list.length === 0) && (
          <EmptyState title={filter === '' ? 'This folder is empty' : 'No name matches'}>
            {filter === '' && canWrite && 'Files that you upload are encrypted in this browser before they leave it.'}
          </EmptyState>
        )}
        {data && sought === undefined && items.length > 0 && (
          <ul className={classes.rows} aria-label="Files and folders">
            {items.slice(0, most).map((item) => (
              <VaultRow
                key={item.item.linkUri}
                item={item}
                folder={data}
                href={item.isFolder ? addressOf(item.item.linkUri) : undefined}
                vaultId={vaultId}
                canWrite={canWrite}
                isChosen={chosen.has(item.item.linkUri)}
                onToggle={() => setChosen(toggled(chosen, item.item.linkUri))}
                onOpen={() => open(item)}
                onShare={() => setSharing([item])}
                onRename={() => setNaming(item)}
                onRemove={() => void changes.remove([item])}
              />
            ))}
          </ul>
        )}
        {sought === undefined && items.length > most && (
          <Button className={classes.more} onClick={() => setMost(most + rowsAtOnce)}>
            Show more of {items.length.toLocaleString('en')} items
          </Button>
        )}
        {data && data.foreign.length > 0 && (
          <details className={classes.foreign}>
            <summary>
              {data.foreign.length} {data.foreign.length === 1 ? 'item is' : 'items are'} not part of this vault
            </summary>
            {data.foreign.slice(0, 100).join(', ')}
          </details>
        )}
        {data && sought === undefined && <Proofs place={place} folder={data} canWrite={canWrite} onRecorded={reload} />}
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
      {sharing && data && <ShareDialog place={place} folder={data} items={sharing} Terms={Terms} onClose={() => setSharing(undefined)} />}
      {listsShares && <SharesDialog place={place} onClose={() => setListsShares(false)} />}
      {shown && data && (
        <Preview
          name={shown.name}
          file={fileOf(vaultId, shown)}
          judgeIt={(file) => judge(data, file)}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  );
}

/** Rows shown at first and added by each "Show more": more at once would be slow in a folder of 100,000 names. */
const rowsAtOnce = 300;

function toggled(all: ReadonlySet<string>, one: string): ReadonlySet<string> {
  const next = new Set(all);
  if (!next.delete(one)) next.add(one);
  return next;
}

async function* itemsBelow(place: Place, addressOf: (linkUri: string) => string, signal: AbortSignal): AsyncGenerator<FoundItem> {
  for await (const { item, path, place: within } of walk(place, signal)) {
    const { name, isFolder } = item;
    const { linkUri } = item.item;
    yield { key: linkUri, name, isFolder, href: addressOf(isFolder ? linkUri : within.linkUri), above: path.slice(0, -1) };
  }
}

function forgetAllParts(vaultId: string): void {
  forgetParts(vaultId);
  forgetReadParts();
}
