import { Button } from '@mantine/core';
import type { EncryptedFolder } from '@sheaf/contract';
import { IconFingerprint, IconLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { WordedError, errorText } from '#/lib/http/error-text.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import { hasPasskeys, storedPasskey, askPasskeys } from '../crypt/passkeys.ts';
import { unlockVault } from '../crypt/state.ts';
import { WayField, WaySwitch } from '../dialogs/WayField.tsx';
import { type WayKind, wayOf, wrongWay } from '../dialogs/ways.ts';
import classes from '../shown/vault.module.css';

/** Unlocks a vault with its passphrase or recovery words, which are checked in this browser. */
export function LockedVault({ folder }: { folder: EncryptedFolder }) {
  const [kind, setKind] = useState<WayKind>('passphrase');
  const [text, setText] = useState('');
  const { folderOid, name, wrapped, passkeys, member } = folder;
  const unlock = useMutation({ mutationFn: () => unlockVault(folderOid, wrapped ?? '', wayOf(kind, text)) });
  const byPasskey = useMutation({
    mutationFn: async () => {
      const stored = passkeys.map(({ sealed }) => storedPasskey(sealed));
      const { credentialId, output } = await askPasskeys(stored);
      const sealed = stored.find((one) => one.credentialId === credentialId)?.passwords ?? '';
      if (!(await unlockVault(folderOid, wrapped ?? '', { output, sealed })))
        throw new WordedError('This passkey does not open the vault any more. Please use the passphrase.');
    },
  });
  const change = (value: string): void => {
    setText(value);
    unlock.reset();
  };
  const switchTo = (other: WayKind): void => {
    setKind(other);
    change('');
  };
  if (wrapped === undefined)
    return (
      <EmptyState level={1} title={`${name} has no passphrase here`}>
        It was entered without a browser. Please remove it from the list and open it as an rclone folder.
      </EmptyState>
    );
  const error = unlock.data === false ? wrongWay(kind) : unlock.error ? errorText(unlock.error) : undefined;
  return (
    <form className={classes.locked} action={() => (text === '' || unlock.isPending ? undefined : unlock.mutate())}>
      <span className={classes.lock} aria-hidden="true">
        <IconLock size={28} stroke={1.5} />
      </span>
      <h1>{name} is locked</h1>
      {member ? (
        <p>
          A vault of {member.ownerName} in the Space {member.spaceName}. Its names and contents can only be read with its passphrase.
        </p>
      ) : (
        <p>Its names and contents can only be read with your passphrase.</p>
      )}
      <WayField kind={kind} label="Passphrase" text={text} error={error} onChange={change} />
      <Button type="submit" variant="filled" loading={unlock.isPending} fullWidth>
        Unlock
      </Button>
      {passkeys.length > 0 && hasPasskeys() && (
        <Button
          leftSection={<IconFingerprint size={17} stroke={1.75} />}
          loading={byPasskey.isPending}
          fullWidth
          onClick={() => byPasskey.mutate()}
        >
          Unlock with a passkey
        </Button>
      )}
      {byPasskey.error && <Notice kind="error">{errorText(byPasskey.error)}</Notice>}
      <WaySwitch kind={kind} onSwitch={switchTo} />
    </form>
  );
}
