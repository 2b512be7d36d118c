import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';

type Props = {
  title: string;
  sentence?: string;
  button: 'Create' | 'Rename';
  /** The current name; empty for a new item. */
  old?: string;
  taken?: readonly string[];
  onSave: (name: string) => Promise<unknown>;
  onClose: () => void;
};

/** Names a new folder, an item of a vault, or a vault in the list. */
export function NameDialog({ title, sentence, button, old = '', taken = [], onSave, onClose }: Props) {
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
    <Dialog title={title} sentence={sentence} onClose={onClose} busy={save.isPending}>
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
            {button}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
