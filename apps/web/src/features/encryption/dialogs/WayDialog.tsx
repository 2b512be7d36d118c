import { Button, PasswordInput, Textarea } from '@mantine/core';
import { type EncryptedFolder, rewrapVault } from '@sheaf/contract';
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
import { PassphraseFields, passphraseProblem } from './PassphraseFields.tsx';
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

/** Asks for the way in once more, before the passphrase is changed or the passwords leave the browser. */
export function WayDialog({ folder, purpose, onClose }: Props) {
  const { folderOid: vaultId, name, wrapped = '' } = folder;
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
          : await askWorker('configuration', { wrapped, way, name: name.replace(/[^\w .+@-]/g, '_') });
      if (made === undefined) throw new WordedError(wrongWay(kind));
      if (purpose === 'export') return saveFile(new Blob([made], { type: 'text/plain' }), 'rclone-vault.conf');
      await withProof(() => send(rewrapVault, { vaultId, wrapped: made }));
      await queries.invalidateQueries({ queryKey: encryptionList.queryKey });
      notifyDone('The passphrase was changed.');
    },
    onSuccess: onClose,
  });
  const isComplete = text !== '' && (purpose === 'export' || passphraseProblem(passphrase, repeated) === undefined);
  const error = work.error ? errorText(work.error) : undefined;
  const change = (value: string): void => {
    setText(value);
    work.reset();
  };
  return (
    <Dialog title={texts[purpose].title} sentence={texts[purpose].sentence} onClose={onClose} busy={work.isPending} wide>
      <form action={() => (isComplete && !work.isPending ? work.mutate() : undefined)}>
        <DialogFields>
          {kind === 'passphrase' ? (
            <PasswordInput
              label="Current passphrase"
              data-autofocus
              autoComplete="off"
              value={text}
              error={error}
              onChange={(event) => change(event.currentTarget.value)}
            />
          ) : (
            <Textarea
              label="Recovery words"
              description="The twelve words; for a folder made by rclone, its password, and password2 on a second line."
              autosize
              minRows={2}
              spellCheck={false}
              value={text}
              error={error}
              onChange={(event) => change(event.currentTarget.value)}
            />
          )}
          {purpose === 'change' && (
            <PassphraseFields passphrase={passphrase} repeated={repeated} onChange={(...both) => setPassphrase(both)} />
          )}
          {purpose === 'export' && (
            <p>In the file, replace “remote:folder” by the folder as rclone calls it. rclone’s own obscured passwords are no protection.</p>
          )}
        </DialogFields>
        <DialogButtons>
          <Button
            variant="subtle"
            disabled={work.isPending}
            onClick={() => {
              setKind(kind === 'passphrase' ? 'words' : 'passphrase');
              change('');
            }}
          >
            {kind === 'passphrase' ? 'Use recovery words' : 'Use the passphrase'}
          </Button>
          <Button type="submit" variant="filled" loading={work.isPending} disabled={!isComplete}>
            {texts[purpose].button}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
