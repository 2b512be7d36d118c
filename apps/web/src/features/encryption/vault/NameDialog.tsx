import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import type { ClearItem } from './listing.ts';

type Props = {
  /** The item to rename, or a new folder. */
  item: ClearItem | 'folder';
  taken: readonly string[];
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
};

/** Names a new folder or an item. */
export function NameDialog({ item, taken, onSave, onClose }: Props) {
  const old = item === 'folder' ? '' : item.name;
  const [name, setName] = useState(old);
  const save = useMutation({ mutationFn: () => onSave(name.trim()), onSuccess: onClose });
  const isTaken = name.trim() !== old && taken.includes(name.trim());
  const error = isTaken ? 'This name is taken.' : save.error ? errorText(save.error) : undefined;
  const submit = (): void => {
    if (name.trim() === '' || isTaken || save.isPending) return;
    if (name.trim() === old) onClose();
    else save.mutate();
  };
  return (
    <Dialog title={item === 'folder' ? 'New folder' : `Rename ${old}`} onClose={onClose} busy={save.isPending}>
      <form action={submit}>
        <DialogFields>
          <TextInput
            label="Name"
            data-autofocus
            autoComplete="off"
            value={name}
            error={error}
            onChange={(event) => {
              setName(event.currentTarget.value);
              save.reset();
            }}
          />
        </DialogFields>
        <DialogButtons>
          <Button onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={save.isPending}>
            {item === 'folder' ? 'Create' : 'Rename'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
