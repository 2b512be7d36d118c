import { Button, TextInput } from '@mantine/core';
import { copyFromAddress, lookAtAddress } from '@sheaf/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { pageTransfers } from '#/lib/transfers/page-transfers.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';

type Props = { folder: { readonly linkUri: string; readonly name: string }; onClose: () => void };

/** Copies a file from an address of the web into the folder: first tells what is there, then begins the transfer. */
export function FromWebDialog({ folder, onClose }: Props) {
  const [address, setAddress] = useState('');
  const [name, setName] = useState('');
  const [checksum, setChecksum] = useState('');
  const look = useMutation({
    mutationFn: () => send(lookAtAddress, { address }),
    onSuccess: (found) => setName(found.name),
  });
  const copy = useMutation({
    mutationFn: async () => {
      const options = { newName: name, ...(checksum.trim() !== '' && { checksum }) };
      const { transferId } = await send(copyFromAddress, { address, parentLinkUri: folder.linkUri, conflict: 'fail', ...options });
      await pageTransfers.track(transferId);
    },
    onSuccess: onClose,
  });
  const { data: found } = look;
  const error = look.error ?? copy.error;
  const isBusy = look.isPending || copy.isPending;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (found) copy.mutate();
    else look.mutate();
  };
  return (
    <Dialog title="Copy from the web" sentence={`The file goes into ${folder.name}.`} wide busy={copy.isPending} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <DialogFields>
          <TextInput
            data-autofocus
            label="Address"
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://"
            value={address}
            onChange={({ currentTarget }) => {
              setAddress(currentTarget.value);
              look.reset();
              copy.reset();
            }}
          />
          {found && (
            <>
              <TextInput
                label="Name"
                description={[found.size === undefined ? 'Unknown size' : formatSize(found.size), found.mimeType, `from ${found.host}`]
                  .filter(Boolean)
                  .join(' · ')}
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
              />
              <TextInput
                label="Checksum (optional)"
                description="MD5, SHA-1 or SHA-256. A file with another checksum is not kept."
                autoComplete="off"
                spellCheck={false}
                value={checksum}
                onChange={({ currentTarget }) => setChecksum(currentTarget.value)}
              />
            </>
          )}
        </DialogFields>
        {error && (
          <Notice kind="error" inDialog>
            {errorText(error)}
          </Notice>
        )}
        <DialogButtons>
          <Button variant="subtle" disabled={copy.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={isBusy} disabled={found ? name.trim() === '' : address.trim() === ''}>
            {found ? 'Copy here' : 'Look'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
