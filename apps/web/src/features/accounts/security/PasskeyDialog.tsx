import { Button, TextInput } from '@mantine/core';
import { type Passkey, describeDevice } from '@sheaf/contract';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { useAddPasskey, useRenamePasskey } from './security-queries.ts';

type Props = { passkey?: Passkey; onDone: (recoveryCodes: readonly string[] | undefined) => void; onClose: () => void };

/** Names a new passkey before the browser creates it, or renames an existing one. */
export function PasskeyDialog({ passkey, onDone, onClose }: Props) {
  const [name, setName] = useState(passkey?.name ?? describeDevice(navigator.userAgent).name);
  const add = useAddPasskey();
  const rename = useRenamePasskey();
  const { isPending, error } = passkey ? rename : add;
  const submit = (): void => {
    const wanted = name.trim();
    if (wanted === '' || isPending) return;
    if (passkey) rename.mutate({ passkeyId: passkey.passkeyId, name: wanted }, { onSuccess: () => onDone(undefined) });
    else add.mutate(wanted, { onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes) });
  };
  return (
    <Dialog
      title={passkey ? 'Rename the passkey' : 'Add a passkey'}
      sentence={passkey ? undefined : 'Your device, password manager or security key keeps it. Name it so that you know it again.'}
      onClose={onClose}
      busy={isPending}
    >
      <form action={submit}>
        <DialogFields>
          <TextInput
            label="Name of the passkey"
            name="passkey-name"
            autoComplete="off"
            maxLength={100}
            data-autofocus
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </DialogFields>
        {error && (
          <Notice kind="error" inDialog>
            {errorText(error)}
          </Notice>
        )}
        <DialogButtons>
          <Button onClick={onClose} disabled={isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" disabled={name.trim() === ''} loading={isPending}>
            {passkey ? 'Save Changes' : 'Continue'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
