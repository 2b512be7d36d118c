import { Button, Checkbox, NativeSelect, PasswordInput, TextInput, Textarea } from '@mantine/core';
import { createVault } from '@sheaf/contract';
import { type CryptSection, type NameOptions, cryptSections, usualNames } from '@sheaf/vault';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { encryptionList } from '#/lib/encryption.ts';
import type { ChosenFolder, FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { WordedError, errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { Dialog, DialogButtons, DialogFields, DialogPair } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { askWorker } from '../crypt/client.ts';
import { proveFolder, proofSentences } from './prove-folder.ts';

type Props = { FolderField: ComponentType<FolderFieldProps>; onClose: () => void };

/** Adds a folder that rclone crypt has written, with its passwords or its section of `rclone.conf`. */
export function AdoptDialog({ FolderField, onClose }: Props) {
  const [folder, setFolder] = useState<ChosenFolder>();
  const [conf, setConf] = useState('');
  /** Crypt remotes of the pasted configuration. */
  const [sections, setSections] = useState<readonly CryptSection[]>([]);
  const [{ password, password2 }, setPasswords] = useState({ password: '', password2: '' });
  const [options, setOptions] = useState<NameOptions>(usualNames);
  /** The unproven input about which the user was asked; a change of the input asks again. */
  const asked = JSON.stringify([folder?.linkUri, password, password2, options]);
  const [unproven, setUnproven] = useState('');
  const isUnproven = unproven === asked;
  const queries = useQueryClient();
  const isComplete = folder !== undefined && password !== '';
  const adopt = useMutation({
    mutationFn: async (place: ChosenFolder) => {
      if (!isUnproven) {
        const proof = await proveFolder(place.linkUri, { password, password2 }, options);
        if (proof === 'unproven') return setUnproven(asked);
        if (proof !== 'right') throw new WordedError(proofSentences[proof]);
      }
      // The first password is the initial passphrase; the user can change it later.
      const { wrapped } = await askWorker('seal', { passphrase: password, passwords: { password, password2 }, options });
      const name = place.destinationPath.split('/').at(-1) ?? '';
      await send(createVault, { linkUri: place.linkUri, name, options: JSON.stringify(options), wrapped });
      await queries.invalidateQueries({ queryKey: encryptionList.queryKey });
      onClose();
    },
  });
  const fillIn = (section: CryptSection | undefined): void => {
    if (!section) return;
    setPasswords(section.passwords);
    setOptions(section.options);
  };
  const pasted = (text: string): void => {
    const found = cryptSections(text);
    setConf(found.length > 0 ? '' : text);
    setSections(found);
    fillIn(found[0]);
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
            description="Paste it, or the whole file, to fill in the fields below; it is not sent."
            autosize
            minRows={2}
            maxRows={4}
            spellCheck={false}
            value={conf}
            error={conf.trim() !== '' ? 'There is no crypt remote in it whose passwords can be read.' : undefined}
            onChange={(event) => pasted(event.currentTarget.value)}
          />
          {sections.length === 1 && <p role="status">The fields below are those of the remote “{sections[0]?.name}”.</p>}
          {sections.length > 1 && (
            <NativeSelect
              label="Remote"
              description="The file has several crypt remotes. The fields below are those of the chosen one."
              data={sections.map(({ name, remote }, index) => ({ value: String(index), label: `${name} (${remote})` }))}
              onChange={(event) => fillIn(sections[Number(event.currentTarget.value)])}
            />
          )}
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
            : isUnproven
              ? proofSentences.unproven
              : 'The first password becomes the passphrase here, and both stay the way in if you forget a later one.'}
        </Notice>
        <DialogButtons>
          <Button onClick={onClose} disabled={adopt.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={adopt.isPending} disabled={!isComplete}>
            {isUnproven ? 'Add anyway' : 'Add to the list'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
