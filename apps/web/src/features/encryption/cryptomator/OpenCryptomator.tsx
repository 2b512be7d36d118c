import { Button, TextInput } from '@mantine/core';
import { IconDownload, IconFilter, IconSearch } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { touchVault } from '../crypt/state.ts';
import type { ReadOnlyFile, ReadOnlyFolder } from '../folder/read-only.ts';
import { forgetThumbnails } from '../folder/thumbnails.ts';
import { Found, type FoundItem } from '../shown/Found.tsx';
import { Banner } from '../shown/Head.tsx';
import { Preview } from '../shown/Preview.tsx';
import { ReadOnlyRows } from '../shown/ReadOnlyRows.tsx';
import { type CryptomatorPlace, foldersFrom, saveCryptomatorZip } from './below.ts';
import { cryptomatorFolder, forgetFolders, vaultIdOf } from './listing.ts';
import classes from '../shown/vault.module.css';

/** Address of the page that reads the vault of Cryptomator in a folder. */
export const cryptomatorAddress = (folder: string, at?: string): string =>
  withQuery('/vaults/cryptomator', { folder, ...(at !== undefined && { at }) });

type Props = {
  rootUri: string;
  name: string;
  /** Position of the folder in view; undefined for the vault itself. */
  at: string | undefined;
  /** Until it locks. */
  minutes: number;
};

/** What was typed to find something in a folder. */
interface Typed {
  readonly at: string | undefined;
  readonly filter: string;
  /** What is looked for in the folders below. */
  readonly sought?: string;
}

/** An open vault of Cryptomator: folders are listed, searched and saved, and nothing is changed. */
export function OpenCryptomator({ rootUri, name, at, minutes }: Props) {
  const vaultId = vaultIdOf(rootUri);
  const place = { rootUri, vaultName: name, at };
  const { data, error, refetch } = useQuery(cryptomatorFolder(rootUri, name, at));
  const [shown, setShown] = useState<ReadOnlyFile>();
  const [typed, setTyped] = useState<Typed>({ at, filter: '' });
  const [isSaving, setIsSaving] = useState(false);
  // Another folder is shown without what was typed in this one.
  const { filter, sought }: Typed = typed.at === at ? typed : { at, filter: '' };
  useForgetting(vaultId);
  const touch = (): void => touchVault(vaultId);
  const hrefOf = (to: ReadOnlyFolder | undefined): string => cryptomatorAddress(rootUri, to?.position);
  const save = (): void => {
    setIsSaving(true);
    saveCryptomatorZip(place, new AbortController().signal)
      .catch((caught: unknown) => notifyError(`The zip could not be made. ${errorText(caught)}`))
      .finally(() => setIsSaving(false));
  };
  const matches = ({ name: one }: { readonly name: string }): boolean => one.toLowerCase().includes(filter.trim().toLowerCase());
  const seen = data && { ...data, folders: data.folders.filter(matches), files: data.files.filter(matches) };
  const isFiltered = filter.trim() !== '';
  return (
    <div className={classes.vault} onPointerDown={touch} onKeyDown={touch}>
      <Banner vaultId={vaultId} storage="the storage" minutes={minutes} />
      <div className={classes.content}>
        <nav aria-label="Vaults" className={classes.path}>
          <PathLink href="/account/mysheaf?catid=encryption">Encryption</PathLink>
        </nav>
        <h1 className={classes.readOnlyTitle}>{data?.name ?? name}</h1>
        <div className={classes.tools}>
          <Button leftSection={<IconDownload size={17} stroke={1.75} />} loading={isSaving} onClick={save}>
            Download as zip
          </Button>
          <TextInput
            className={classes.filter}
            aria-label="Filter this folder"
            placeholder="Filter this folder"
            leftSection={<IconFilter size={16} stroke={1.75} />}
            value={filter}
            onChange={(event) => setTyped({ at, filter: event.currentTarget.value })}
          />
          {isFiltered && sought === undefined && (
            <Button leftSection={<IconSearch size={16} stroke={1.75} />} onClick={() => setTyped({ at, filter, sought: filter })}>
              Look in folders below
            </Button>
          )}
        </div>
        {error && !data && <ErrorState title="The folder cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />}
        {!data && !error && <SkeletonRows count={5} />}
        {sought !== undefined && (
          <Found
            key={`${at ?? ''}\n${sought}`}
            vaultId={vaultId}
            words={sought}
            walk={(signal) => itemsBelow(place, hrefOf, signal)}
            onEnd={() => setTyped({ at, filter })}
          />
        )}
        {seen && sought === undefined && isFiltered && seen.folders.length + seen.files.length === 0 && (
          <EmptyState title="No name matches" />
        )}
        {seen && sought === undefined && (!isFiltered || seen.folders.length + seen.files.length > 0) && (
          <ReadOnlyRows folder={seen} hrefOf={hrefOf} onOpen={setShown} />
        )}
        <p className={classes.proof}>
          Every part of a file is proven when it is read. Not proven: that no file lacks its end. Cryptomator records neither sizes nor
          contents.
        </p>
      </div>
      {shown && (
        <Preview
          name={shown.name}
          file={shown.seen}
          judgeIt={async (file) => ({ file, verdict: { kind: 'unrecorded' } })}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  );
}

async function* itemsBelow(
  place: CryptomatorPlace,
  hrefOf: (to: ReadOnlyFolder | undefined) => string,
  signal: AbortSignal,
): AsyncGenerator<FoundItem> {
  for await (const { folder, path: above } of foldersFrom(place, signal)) {
    for (const below of folder.folders) yield { key: below.position, name: below.name, isFolder: true, href: hrefOf(below), above };
    const here = hrefOf(folder.position === '' ? undefined : folder);
    for (const { name } of folder.files) yield { key: `${folder.position}\n${name}`, name, isFolder: false, href: here, above };
  }
}

/** Clear names leave the page's memory with the last screen that shows them. */
function useForgetting(vaultId: string): void {
  const queries = useQueryClient();
  useEffect(
    () => () => {
      queries.removeQueries({ queryKey: ['vault', vaultId] });
      forgetFolders();
      forgetThumbnails(vaultId);
    },
    [queries, vaultId],
  );
}
