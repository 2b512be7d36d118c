import { Button, Checkbox, NativeSelect, PasswordInput, TextInput, Textarea } from '@mantine/core';
import { createVault } from '@sheaf/contract';
import { type NameOptions, cryptSections, usualNames } from '@sheaf/vault';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { encryptionList } from '#/lib/encryption.ts';
import type { ChosenFolder, FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { Dialog, DialogButtons, DialogFields, DialogPair } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { askWorker } from '../crypt/client.ts';

type Props = { FolderField: ComponentType<FolderFieldProps>; onClose: () => void };

/** Opens a folder that rclone's crypt has written, with its passwords or its section of `rclone.conf`. */
export function AdoptDialog({ FolderField, onClose }: Props) {
  const [folder, setFolder] = useState<ChosenFolder>();
  const [conf, setConf] = useState('');
  const [{ password, password2 }, setPasswords] = useState({ password: '', password2: '' });
  const [options, setOptions] = useState<NameOptions>(usualNames);
  const queries = useQueryClient();
  const isComplete = folder !== undefined && password !== '';
  const adopt = useMutation({
    mutationFn: async (place: ChosenFolder) => {
      // The first password is the passphrase until it is changed.
      const { wrapped } = await askWorker('seal', { passphrase: password, passwords: { password, password2 }, options });
      const name = place.destinationPath.split('/').at(-1) ?? '';
      return send(createVault, { linkUri: place.linkUri, name, options: JSON.stringify(options), wrapped });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: encryptionList.queryKey });
      onClose();
    },
  });
  const pasted = (text: string): void => {
    const [section] = cryptSections(text);
    setConf(section ? '' : text);
    if (!section) return;
    setPasswords(section.passwords);
    setOptions(section.options);
  };

  return (
    <Dialog
      title="Open an rclone folder"
      sentence="A folder that rclone’s crypt has encrypted. Its passwords stay in this browser."
      onClose={onClose}
      busy={adopt.isPending}
      wide
    >
      <form action={() => (isComplete && !adopt.isPending ? adopt.mutate(folder) : undefined)}>
        <DialogFields>
          <FolderField label="Folder" placeholder="Choose the encrypted folder" onChoose={setFolder} disabled={adopt.isPending} />
          <Textarea
            label="Section of rclone.conf"
            description="Paste it to fill in the fields below; it is not sent."
            autosize
            minRows={2}
            maxRows={4}
            spellCheck={false}
            value={conf}
            error={conf.trim() !== '' ? 'There is no crypt remote in it whose passwords can be read.' : undefined}
            onChange={(event) => pasted(event.currentTarget.value)}
          />
          <DialogPair>
            <PasswordInput
              label="Password"
              required
              autoComplete="off"
              value={password}
              onChange={(event) => setPasswords({ password: event.currentTarget.value, password2 })}
            />
            <PasswordInput
              label="Password2 (salt)"
              autoComplete="off"
              value={password2}
              onChange={(event) => setPasswords({ password, password2: event.currentTarget.value })}
            />
          </DialogPair>
          <DialogPair>
            <NativeSelect
              label="File names"
              value={options.filename_encryption}
              data={[
                { value: 'standard', label: 'Encrypted' },
                { value: 'obfuscate', label: 'Obfuscated' },
                { value: 'off', label: 'Clear' },
              ]}
              onChange={(event) =>
                setOptions({ ...options, filename_encryption: event.currentTarget.value as NameOptions['filename_encryption'] })
              }
            />
            <NativeSelect
              label="Encoding"
              value={options.filename_encoding}
              data={['base32', 'base64', 'base32768']}
              onChange={(event) =>
                setOptions({ ...options, filename_encoding: event.currentTarget.value as NameOptions['filename_encoding'] })
              }
            />
          </DialogPair>
          <Checkbox
            label="Folder names are encrypted"
            checked={options.directory_name_encryption}
            onChange={(event) => setOptions({ ...options, directory_name_encryption: event.currentTarget.checked })}
          />
          {options.filename_encryption === 'off' && (
            <TextInput
              label="Suffix of files"
              value={options.suffix}
              onChange={(event) => setOptions({ ...options, suffix: event.currentTarget.value })}
            />
          )}
        </DialogFields>
        <Notice kind={adopt.error ? 'error' : 'note'} inDialog>
          {adopt.error
            ? errorText(adopt.error)
            : 'The first password becomes the passphrase here, and both stay the way in if you forget a later one. Names that do not open are listed as not part of the vault.'}
        </Notice>
        <DialogButtons>
          <Button onClick={onClose} disabled={adopt.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={adopt.isPending} disabled={!isComplete}>
            Add to the list
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
