import { Button } from '@mantine/core';
import { type EncryptedFolder, rewrapVault } from '@sheaf/contract';
import { remotesOf } from '@sheaf/vault';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { encryptionList } from '#/lib/encryption.ts';
import { WordedError, errorText } from '#/lib/http/error-text.ts';
import { saveFile } from '#/lib/http/send-for-file.ts';
import { send } from '#/lib/http/send.ts';
import { useWithProof } from '#/lib/session/proof.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { notifyDone } from '#/ui/feedback/notify.ts';
import { askWorker } from '../crypt/client.ts';
import { PassphraseFields, isPassphraseReady } from './PassphraseFields.tsx';
import { WayField, WaySwitch } from './WayField.tsx';
import { type WayKind, wayOf, wrongWay } from './ways.ts';

type Props = { folder: EncryptedFolder; purpose: 'change' | 'export'; onClose: () => void };

const texts = {
  change: {
    title: 'Change passphrase',
    sentence:
      'The files stay as they are, and so do the recovery words, or the passwords of rclone. Whoever copied the old sealed passwords still opens them with the old passphrase.',
    button: 'Change',
  },
  export: {
    title: 'Save for rclone',
    sentence: 'A section for rclone.conf that opens the folder without Sheaf. Whoever has the file can read the vault.',
    button: 'Save file',
  },
} as const;

/** Asks for the passphrase or words again, before the passphrase is changed or the passwords leave the browser. */
export function WayDialog({ folder, purpose, onClose }: Props) {
  const { folderOid: vaultId, name, wrapped = '', destinationPath } = folder;
  const remotes = remotesOf(name, destinationPath);
  const [kind, setKind] = useState<WayKind>('passphrase');
  const [text, setText] = useState('');
  const [[passphrase, repeated], setPassphrase] = useState(['', '']);
  const queries = useQueryClient();
  const withProof = useWithProof();
  const work = useMutation({
    mutationFn: async () => {
      const way = wayOf(kind, text);
      const made =
        purpose === 'change'
          ? await askWorker('rewrap', { wrapped, way, passphrase })
          : await askWorker('configuration', { wrapped, way, name: remotes.name, remote: remotes.remote });
      if (made === undefined) throw new WordedError(wrongWay(kind));
      if (purpose === 'export') return saveFile(new Blob([made], { type: 'text/plain' }), 'rclone-vault.conf');
      await withProof(() => send(rewrapVault, { vaultId, wrapped: made }));
      await queries.invalidateQueries({ queryKey: encryptionList.queryKey });
      notifyDone('The passphrase was changed.');
    },
    onSuccess: onClose,
  });
  const isComplete = text !== '' && (purpose === 'export' || isPassphraseReady(passphrase, repeated));
  const error = work.error ? errorText(work.error) : undefined;
  const change = (value: string): void => {
    setText(value);
    work.reset();
  };
  const switchTo = (other: WayKind): void => {
    setKind(other);
    change('');
  };
  return (
    <Dialog title={texts[purpose].title} sentence={texts[purpose].sentence} onClose={onClose} busy={work.isPending} wide>
      <form action={() => (isComplete && !work.isPending ? work.mutate() : undefined)}>
        <DialogFields>
          <WayField kind={kind} label="Current passphrase" text={text} error={error} onChange={change} />
          <div>
            <WaySwitch kind={kind} onSwitch={switchTo} size="xs" disabled={work.isPending} />
          </div>
          {purpose === 'change' && (
            <PassphraseFields
              label="New passphrase"
              passphrase={passphrase}
              repeated={repeated}
              onChange={(...both) => setPassphrase(both)}
            />
          )}
          {purpose === 'export' && (
            <p>
              The file expects the storage in rclone as “{remotes.storage}:”. If yours has another name or begins elsewhere, change the line
              “remote”. rclone’s obscured passwords are no protection.
            </p>
          )}
        </DialogFields>
        <DialogButtons>
          <Button onClick={onClose} disabled={work.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={work.isPending} disabled={!isComplete}>
            {texts[purpose].button}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
