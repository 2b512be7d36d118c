import { Button, PasswordInput } from '@mantine/core';
import { parseLinkUri } from '@sheaf/contract';
import { IconLock } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { touchVault, useMinutesLeft } from '../crypt/state.ts';
import { type ReadOnlyFile, type ReadOnlyFolder } from '../folder/read-only.ts';
import { forgetThumbnails } from '../folder/thumbnails.ts';
import { Banner } from '../shown/Head.tsx';
import { Preview } from '../shown/Preview.tsx';
import { ReadOnlyRows } from '../shown/ReadOnlyRows.tsx';
import { cryptomatorFolder, forgetFolders, unlockCryptomator, vaultIdOf } from './listing.ts';
import classes from '../shown/vault.module.css';

/** Address of the page that reads the vault of Cryptomator in a folder. */
export const cryptomatorAddress = (folder: string, at?: string): string =>
  withQuery('/vaults/cryptomator', { folder, ...(at !== undefined && { at }) });

/** A vault of Cryptomator: it is read and never written, and nothing of it is stored. */
export function CryptomatorPage() {
  const { folder, at } = useQueryParams();
  const minutes = useMinutesLeft(vaultIdOf(folder ?? ''));
  const name = (parseLinkUri(folder ?? '')?.path ?? '').split('/').at(-1) ?? '';
  const title = name === '' ? 'Cryptomator vault' : name;
  if (folder !== undefined && minutes !== undefined) return <Opened rootUri={folder} name={title} at={at} minutes={minutes} />;
  return (
    <Page>
      <nav aria-label="Path" className={classes.path}>
        <PathLink href="/account/mysheaf?catid=encryption">Encryption</PathLink>
      </nav>
      {folder === undefined ? (
        <EmptyState level={1} title="No folder was chosen">
          Choose “Open a Cryptomator vault” on the page Encryption.
        </EmptyState>
      ) : (
        <Locked rootUri={folder} name={title} />
      )}
    </Page>
  );
}

function Locked({ rootUri, name }: { rootUri: string; name: string }) {
  const [passphrase, setPassphrase] = useState('');
  const unlock = useMutation({ mutationFn: () => unlockCryptomator(rootUri, passphrase) });
  const wrong = 'This is not the password of this vault. It was checked in this browser; nothing was sent.';
  const error = unlock.data === false ? wrong : unlock.error ? errorText(unlock.error) : undefined;
  return (
    <form className={classes.locked} action={() => (passphrase === '' || unlock.isPending ? undefined : unlock.mutate())}>
      <span className={classes.lock} aria-hidden="true">
        <IconLock size={28} stroke={1.5} />
      </span>
      <h1>{name} is locked</h1>
      <p>A vault of Cryptomator. Sheaf reads it in this browser, changes nothing in it, and keeps nothing of it.</p>
      <PasswordInput
        label="Password"
        autoFocus
        autoComplete="off"
        value={passphrase}
        error={error}
        onChange={(event) => {
          setPassphrase(event.currentTarget.value);
          unlock.reset();
        }}
      />
      <Button type="submit" variant="filled" loading={unlock.isPending} fullWidth>
        Unlock
      </Button>
    </form>
  );
}

function Opened({ rootUri, name, at, minutes }: { rootUri: string; name: string; at: string | undefined; minutes: number }) {
  const vaultId = vaultIdOf(rootUri);
  const { data, error, refetch } = useQuery(cryptomatorFolder(rootUri, name, at));
  const [shown, setShown] = useState<ReadOnlyFile>();
  const queries = useQueryClient();
  useEffect(
    () => () => {
      queries.removeQueries({ queryKey: ['vault', vaultId] });
      forgetFolders();
      forgetThumbnails(vaultId);
    },
    [queries, vaultId],
  );
  const touch = (): void => touchVault(vaultId);
  const hrefOf = (to: ReadOnlyFolder | undefined): string => cryptomatorAddress(rootUri, to?.position);
  return (
    <div className={classes.vault} onPointerDown={touch} onKeyDown={touch}>
      <Banner vaultId={vaultId} storage="the storage" minutes={minutes} />
      <div className={classes.content}>
        <nav aria-label="Vaults" className={classes.path}>
          <PathLink href="/account/mysheaf?catid=encryption">Encryption</PathLink>
        </nav>
        <h1 className={classes.readOnlyTitle}>{data?.name ?? name}</h1>
        {error && !data && <ErrorState title="The folder cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />}
        {!data && !error && <SkeletonRows count={5} />}
        {data && <ReadOnlyRows folder={data} hrefOf={hrefOf} onOpen={setShown} />}
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
