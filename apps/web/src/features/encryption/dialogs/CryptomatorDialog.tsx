import { Button } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import type { ChosenFolder, FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import { cryptomatorAddress } from '../cryptomator/OpenCryptomator.tsx';

type Props = { FolderField: ComponentType<FolderFieldProps>; onClose: () => void };

/** Chooses the folder of a Cryptomator vault; the page of the vault asks for its password. */
export function CryptomatorDialog({ FolderField, onClose }: Props) {
  const [folder, setFolder] = useState<ChosenFolder>();
  const go = useGo();
  return (
    <Dialog
      title="Open a Cryptomator vault"
      sentence="The folder with the file masterkey.cryptomator. It is read in this browser and never changed."
      onClose={onClose}
      wide
    >
      <DialogFields>
        <FolderField label="Folder" placeholder="Choose the vault’s folder" onChoose={setFolder} disabled={false} />
      </DialogFields>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="filled" disabled={!folder} onClick={() => folder && go(cryptomatorAddress(folder.linkUri))}>
          Continue
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
