import { Button, TextInput, Textarea } from '@mantine/core';
import { errorTable } from '@sheaf/contract';
import { type ComponentType, useState } from 'react';
import type { ChosenFolder, FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { Invited } from './members/Invited.tsx';
import { useCreateSpace, useReloadSpaces } from './queries.ts';
import classes from './spaces.module.css';

type Props = { FolderField: ComponentType<FolderFieldProps>; onClose: () => void };

/** Creates a Space on a folder and invites people to it. Without the subscription it leads to the purchase and keeps the form. */
export function CreateSpaceDialog({ FolderField, onClose }: Props) {
  const [name, setName] = useState('');
  const [emails, setEmails] = useState('');
  const [folder, setFolder] = useState<ChosenFolder>();
  const create = useCreateSpace();
  const reload = useReloadSpaces();
  const subject = name.trim();
  const { data, error } = create;
  const needsSubscription = error instanceof CallError && error.errorCode === errorTable.NO_SPACES_SUBSCRIPTION.code;

  const edited = <T,>(set: (value: T) => void) => {
    return (value: T): void => {
      set(value);
      create.reset();
    };
  };
  const submit = (): void => {
    if (subject === '' || !folder || create.isPending) return;
    const { linkUri, destinationPath } = folder;
    create.mutate({ storageLinkUri: linkUri, destinationPath, spaceName: subject, description: subject, emails });
  };
  const close = (): void => {
    if (data) reload();
    onClose();
  };

  if (data) {
    return (
      <Dialog title="Your new space is ready!" sentence={data.space.name} onClose={close}>
        {(data.invited.length > 0 || data.refused.length > 0) && (
          <DialogFields>
            <Invited invited={data.invited} refused={data.refused} />
          </DialogFields>
        )}
        <DialogButtons>
          <Button variant="filled" data-autofocus onClick={close}>
            OK
          </Button>
        </DialogButtons>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={needsSubscription ? 'No Spaces Subscription' : 'Share Storage'}
      sentence={
        needsSubscription
          ? errorText(error)
          : 'Choose a folder. Whoever you invite finds it among their own links; the files stay where they are.'
      }
      onClose={close}
      busy={create.isPending}
    >
      {needsSubscription && (
        <DialogButtons>
          <Button variant="subtle" onClick={create.reset}>
            Cancel
          </Button>
          <Button variant="filled" component={PathLink} href="/add-ons/spaces" autoFocus>
            Get Spaces
          </Button>
        </DialogButtons>
      )}
      <form action={submit} hidden={needsSubscription}>
        <DialogFields>
          <TextInput
            label="SUBJECT"
            classNames={{ label: classes.label ?? '' }}
            placeholder="What do you share?"
            data-autofocus
            autoComplete="off"
            required
            disabled={create.isPending}
            value={name}
            onChange={(event) => edited(setName)(event.currentTarget.value)}
          />
          <FolderField
            label="FOLDER"
            placeholder="Where do you want to store the files?"
            disabled={create.isPending}
            onChoose={edited(setFolder)}
          />
          <Textarea
            label="EMAILS"
            classNames={{ label: classes.label ?? '' }}
            placeholder="nora@example.org, sam@example.org"
            description="Separate with commas. You can also invite people later."
            rows={3}
            disabled={create.isPending}
            value={emails}
            onChange={(event) => edited(setEmails)(event.currentTarget.value)}
          />
        </DialogFields>
        {error && !needsSubscription && (
          <Notice kind="error" inDialog>
            {errorText(error)}
          </Notice>
        )}
        <DialogButtons>
          <Button variant="subtle" onClick={close} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" disabled={subject === '' || !folder} loading={create.isPending}>
            Share
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
