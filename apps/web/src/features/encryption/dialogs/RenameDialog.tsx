import { Button, TextInput } from '@mantine/core';
import { type EncryptedFolder, renameVault } from '@sheaf/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { encryptionList } from '#/lib/encryption.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';

/** Renames a vault in the list; its folder at the storage keeps its name. */
export function RenameDialog({ folder, onClose }: { folder: EncryptedFolder; onClose: () => void }) {
  const [name, setName] = useState(folder.name);
  const queries = useQueryClient();
  const rename = useMutation({
    mutationFn: () => send(renameVault, { vaultId: folder.folderOid, name: name.trim() }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: encryptionList.queryKey });
      onClose();
    },
  });
  return (
    <Dialog
      title={`Rename ${folder.name}`}
      sentence="The folder at the storage keeps its name. Sheaf’s server knows this one."
      onClose={onClose}
      busy={rename.isPending}
    >
      <form action={() => (name.trim() === '' || rename.isPending ? undefined : rename.mutate())}>
        <DialogFields>
          <TextInput
            label="Name"
            data-autofocus
            autoComplete="off"
            value={name}
            error={rename.error ? errorText(rename.error) : undefined}
            onChange={(event) => {
              setName(event.currentTarget.value);
              rename.reset();
            }}
          />
        </DialogFields>
        <DialogButtons>
          <Button onClick={onClose} disabled={rename.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={rename.isPending}>
            Rename
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
