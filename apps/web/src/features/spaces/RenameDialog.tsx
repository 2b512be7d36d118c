import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import classes from './spaces.module.css';

type Props = {
  name: string;
  /** Location of the files, as far as the user may know it. */
  folder: string;
  /** Says for whom the name changes. */
  sentence: string;
  rename: {
    readonly mutate: (name: string, options: { onSuccess: () => void }) => void;
    readonly isPending: boolean;
    readonly error: Error | null;
    readonly reset: () => void;
  };
  onClose: () => void;
};

/** Renames a Space or a user's link to one. An unchanged name just closes the dialog. */
export function RenameDialog({ name, folder, sentence, rename, onClose }: Props) {
  const [subject, setSubject] = useState(name);
  const newName = subject.trim();
  const submit = (): void => {
    if (newName === '' || rename.isPending) return;
    if (newName === name) return onClose();
    rename.mutate(newName, { onSuccess: onClose });
  };
  return (
    <Dialog title="Rename" sentence={sentence} onClose={onClose} busy={rename.isPending}>
      <form action={submit}>
        <DialogFields>
          <TextInput
            label="SUBJECT"
            classNames={{ label: classes.label ?? '' }}
            data-autofocus
            autoComplete="off"
            required
            disabled={rename.isPending}
            value={subject}
            onChange={(event) => {
              setSubject(event.currentTarget.value);
              rename.reset();
            }}
          />
          <TextInput label="FOLDER" classNames={{ label: classes.label ?? '', input: classes.fixed ?? '' }} readOnly value={folder} />
        </DialogFields>
        {rename.error && (
          <Notice kind="error" inDialog>
            {errorText(rename.error)}
          </Notice>
        )}
        <DialogButtons>
          <Button variant="subtle" onClick={onClose} disabled={rename.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" disabled={newName === ''} loading={rename.isPending}>
            Save Changes
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
