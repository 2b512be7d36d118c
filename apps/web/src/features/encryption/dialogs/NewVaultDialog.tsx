import { Button, TextInput } from '@mantine/core';
import { createVault } from '@sheaf/contract';
import { usualNames } from '@sheaf/vault';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { encryptionList } from '#/lib/encryption.ts';
import type { ChosenFolder, FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { askWorker } from '../crypt/client.ts';
import { PassphraseFields, isPassphraseReady } from './PassphraseFields.tsx';
import { WordCheck } from './WordCheck.tsx';
import { WordList } from './WordList.tsx';

type Props = { FolderField: ComponentType<FolderFieldProps>; onClose: () => void };

/** Creates a vault in three steps: folder and passphrase, recovery words, and a check that the words were saved. */
export function NewVaultDialog({ FolderField, onClose }: Props) {
  const [step, setStep] = useState<1 | 2 | 3>(1);
  const [name, setName] = useState('');
  const [folder, setFolder] = useState<ChosenFolder>();
  const [[passphrase, repeated], setPassphrase] = useState(['', '']);
  const queries = useQueryClient();
  const seal = useMutation({
    mutationFn: () => askWorker('seal', { passphrase, options: usualNames }),
    onSuccess: () => setStep(2),
  });
  const create = useMutation({
    mutationFn: (wrapped: string) =>
      send(createVault, { parentLinkUri: folder?.linkUri ?? '', name: name.trim(), options: JSON.stringify(usualNames), wrapped }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: encryptionList.queryKey });
      onClose();
    },
  });
  const { data: sealed } = seal;
  const words = sealed?.words.split(' ') ?? [];
  const isBusy = seal.isPending || create.isPending;
  const isComplete = name.trim() !== '' && folder !== undefined && isPassphraseReady(passphrase, repeated);

  if (step === 2)
    return (
      <Dialog title={`Recovery words for ${name.trim()}`} sentence="Step 2 of 3. The only other way in. Shown once." onClose={onClose} wide>
        <WordList words={words} vault={name.trim()} />
        <DialogButtons>
          <Button onClick={() => setStep(1)}>Back</Button>
          <Button variant="filled" data-autofocus onClick={() => setStep(3)}>
            I saved them
          </Button>
        </DialogButtons>
      </Dialog>
    );
  if (step === 3)
    return (
      <Dialog
        title="Check your recovery words"
        sentence="Step 3 of 3. So a mistake shows up now, not in five years."
        onClose={onClose}
        busy={isBusy}
        wide
      >
        <WordCheck
          words={words}
          isBusy={isBusy}
          problem={create.error ? errorText(create.error) : undefined}
          onBack={() => setStep(2)}
          onRight={() => sealed && create.mutate(sealed.wrapped)}
        />
      </Dialog>
    );
  return (
    <Dialog
      title="New vault"
      sentence="Step 1 of 3. Everything in it is encrypted in this browser before it leaves."
      onClose={onClose}
      busy={isBusy}
      wide
    >
      <form action={() => (isComplete && !isBusy ? seal.mutate() : undefined)}>
        <DialogFields>
          <TextInput
            label="Name"
            description="It is the folder’s name at the storage too, and is not encrypted."
            required
            data-autofocus
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <FolderField label="Where" placeholder="Choose a folder" onChoose={setFolder} disabled={isBusy} />
          <PassphraseFields passphrase={passphrase} repeated={repeated} onChange={(...both) => setPassphrase(both)} />
        </DialogFields>
        {seal.error ? (
          <Notice kind="error" inDialog>
            {errorText(seal.error)}
          </Notice>
        ) : (
          <Notice kind="note" inDialog>
            Nobody can reset a passphrase. The next step gives you recovery words.
          </Notice>
        )}
        <DialogButtons>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={isBusy} disabled={!isComplete}>
            Next
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
