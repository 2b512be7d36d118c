import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { touchVault } from '../crypt/state.ts';
import type { ReadOnlyFile, ReadOnlyFolder } from '../folder/read-only.ts';
import { FinderTools } from '../shown/FinderTools.tsx';
import { Found, type FoundItem } from '../shown/Found.tsx';
import { Banner } from '../shown/Head.tsx';
import { Preview } from '../shown/Preview.tsx';
import { ReadOnlyRows } from '../shown/ReadOnlyRows.tsx';
import { useFinder } from '../shown/use-finder.ts';
import { useForgetting } from '../shown/use-forgetting.ts';
import { type CryptomatorPlace, foldersFrom, saveCryptomatorZip } from './below.ts';
import { cryptomatorFolder, forgetFolders, vaultIdOf } from './listing.ts';
import classes from '../shown/vault.module.css';

/** Address of the page that shows the Cryptomator vault in a folder. */
export const cryptomatorAddress = (folder: string, at?: string): string =>
  withQuery('/vaults/cryptomator', { folder, ...(at !== undefined && { at }) });

type Props = {
  rootUri: string;
  name: string;
  /** Position of the folder in view; undefined for the root of the vault. */
  at: string | undefined;
  /** Minutes until it locks. */
  minutes: number;
};

/** Shows an open Cryptomator vault, read-only: its folders can be listed, searched and saved. */
export function OpenCryptomator({ rootUri, name, at, minutes }: Props) {
  const vaultId = vaultIdOf(rootUri);
  const place = { rootUri, vaultName: name, at };
  const { data, error, refetch } = useQuery(cryptomatorFolder(rootUri, name, at));
  const [shown, setShown] = useState<ReadOnlyFile>();
  const finder = useFinder(at);
  const [isSaving, setIsSaving] = useState(false);
  const { sought, isFiltered, matches } = finder;
  useForgetting(vaultId, forgetFolders);
  const touch = (): void => touchVault(vaultId);
  const hrefOf = (to: ReadOnlyFolder | undefined): string => cryptomatorAddress(rootUri, to?.position);
  const save = (): void => {
    setIsSaving(true);
    saveCryptomatorZip(place, new AbortController().signal)
      .catch((caught: unknown) => notifyError(`The zip could not be made. ${errorText(caught)}`))
      .finally(() => setIsSaving(false));
  };
  const seen = data && { ...data, folders: data.folders.filter(matches), files: data.files.filter(matches) };
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
          <FinderTools finder={finder} />
        </div>
        {error && !data && <ErrorState title="The folder cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />}
        {!data && !error && <SkeletonRows count={5} />}
        {sought !== undefined && (
          <Found
            key={`${at ?? ''}\n${sought}`}
            vaultId={vaultId}
            words={sought}
            walk={(signal) => itemsBelow(place, hrefOf, signal)}
            onEnd={finder.endSearch}
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
