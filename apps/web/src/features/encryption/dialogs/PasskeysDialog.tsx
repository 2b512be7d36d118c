import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type EncryptedFolder, type VaultPasskey, addVaultPasskey, removeVaultPasskey } from '@sheaf/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { encryptionList } from '#/lib/encryption.ts';
import { formatModified } from '#/lib/format.ts';
import { WordedError, errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { askWorker } from '../crypt/client.ts';
import { type StoredPasskey, hasPasskeys, makePasskey } from '../crypt/passkeys.ts';
import { wrongWay } from './ways.ts';
import classes from './dialogs.module.css';

/** Adds and removes passkeys of a vault. Passphrase and recovery words always stay, so a lost passkey locks nobody out. */
export function PasskeysDialog({ folder, onClose }: { folder: EncryptedFolder; onClose: () => void }) {
  const { folderOid: vaultId, name: vaultName, wrapped = '', passkeys } = folder;
  const [passphrase, setPassphrase] = useState('');
  const [name, setName] = useState('');
  const queries = useQueryClient();
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: encryptionList.queryKey });
  const add = useMutation({
    mutationFn: async () => {
      // Checked first, so that no passkey is created for a wrong passphrase.
      if (!(await askWorker('opens', { wrapped, way: { passphrase } }))) throw new WordedError(wrongWay('passphrase'));
      const { output, ...known } = await makePasskey(vaultName);
      const passwords = await askWorker('sealForPasskey', { wrapped, way: { passphrase }, output }, [output]);
      if (passwords === undefined) throw new WordedError(wrongWay('passphrase'));
      await send(addVaultPasskey, { vaultId, name: name.trim(), sealed: JSON.stringify({ ...known, passwords } satisfies StoredPasskey) });
      await reload();
    },
    onSuccess: () => {
      setPassphrase('');
      setName('');
    },
  });
  const remove = useMutation({
    mutationFn: ({ passkeyId }: VaultPasskey) => send(removeVaultPasskey, { vaultId, passkeyId }),
    onSettled: reload,
  });
  const isComplete = passphrase !== '' && name.trim() !== '';
  const problem = add.error ?? remove.error;
  return (
    <Dialog
      title={`Passkeys of ${vaultName}`}
      sentence="A fingerprint, a face or a security key opens the vault. The passphrase and the recovery words stay valid."
      onClose={onClose}
      busy={add.isPending}
      wide
    >
      <form action={() => (isComplete && !add.isPending ? add.mutate() : undefined)}>
        <DialogFields>
          {passkeys.length > 0 && (
            <ul className={classes.passkeys} aria-label="Passkeys">
              {passkeys.map((passkey) => (
                <li key={passkey.passkeyId} aria-label={passkey.name}>
                  <b>{passkey.name}</b>
                  <span>added {formatModified(passkey.createdAt)}</span>
                  <Button
                    size="xs"
                    loading={remove.isPending && remove.variables.passkeyId === passkey.passkeyId}
                    onClick={() => remove.mutate(passkey)}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )}
          {hasPasskeys() ? (
            <>
              <TextInput
                label="Name of a new passkey"
                placeholder="Such as: my laptop"
                data-autofocus
                autoComplete="off"
                maxLength={100}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <PasswordInput
                label="Passphrase"
                description="It is needed once to add the passkey."
                autoComplete="off"
                value={passphrase}
                onChange={(event) => {
                  setPassphrase(event.currentTarget.value);
                  add.reset();
                }}
              />
            </>
          ) : (
            <Notice kind="note">Passkeys can be used over https only.</Notice>
          )}
        </DialogFields>
        {problem && (
          <Notice kind="error" inDialog>
            {errorText(problem)}
          </Notice>
        )}
        <DialogButtons>
          <Button onClick={onClose} disabled={add.isPending}>
            Done
          </Button>
          {hasPasskeys() && (
            <Button type="submit" variant="filled" loading={add.isPending} disabled={!isComplete}>
              Add passkey
            </Button>
          )}
        </DialogButtons>
      </form>
    </Dialog>
  );
}
