import { Button, PasswordInput } from '@mantine/core';
import { parseLinkUri } from '@sheaf/contract';
import { IconLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import { Page } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { useMinutesLeft } from '../crypt/state.ts';
import { unlockCryptomator, vaultIdOf } from './listing.ts';
import { OpenCryptomator } from './OpenCryptomator.tsx';
import classes from '../shown/vault.module.css';

/** Shows a Cryptomator vault. It is read-only, and the server stores nothing of it. */
export function CryptomatorPage() {
  const { folder, at } = useQueryParams();
  const minutes = useMinutesLeft(vaultIdOf(folder ?? ''));
  const name = (parseLinkUri(folder ?? '')?.path ?? '').split('/').at(-1) ?? '';
  const title = name === '' ? 'Cryptomator vault' : name;
  if (folder !== undefined && minutes !== undefined) return <OpenCryptomator rootUri={folder} name={title} at={at} minutes={minutes} />;
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
