import { Button } from '@mantine/core';
import type { Space } from '@sheaf/contract';
import { type ComponentType, useState } from 'react';
import type { ChosenFolder, FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { useMoveSpace } from './queries.ts';

type Props = { space: Space; FolderField: ComponentType<FolderFieldProps>; onClose: () => void };

/** Moves a Space to another folder, for example after its storage was linked again. */
export function ChangeFolderDialog({ space: { spaceOid, linkName }, FolderField, onClose }: Props) {
  const [folder, setFolder] = useState<ChosenFolder>();
  const move = useMoveSpace(spaceOid);
  const submit = (): void => {
    if (folder && !move.isPending) move.mutate(folder.linkUri, { onSuccess: onClose });
  };
  return (
    <Dialog
      title="Change folder"
      sentence={`The members of ${linkName} will see what lies in the new folder. Nothing is moved or copied.`}
      onClose={onClose}
      busy={move.isPending}
    >
      <form action={submit}>
        <DialogFields>
          <FolderField
            label="FOLDER"
            placeholder="Where do you want to store the files?"
            disabled={move.isPending}
            onChoose={(chosen) => {
              setFolder(chosen);
              move.reset();
            }}
          />
        </DialogFields>
        {move.error && (
          <Notice kind="error" inDialog>
            {errorText(move.error)}
          </Notice>
        )}
        <DialogButtons>
          <Button variant="subtle" onClick={onClose} disabled={move.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" disabled={!folder} loading={move.isPending}>
            Save Changes
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
