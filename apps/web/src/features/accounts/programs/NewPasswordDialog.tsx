import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { AppPasswordRights } from '@sheaf/contract';
import { type ComponentType, useState } from 'react';
import type { ChosenFolder, FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields, DialogPair } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { type NewSecrets, useCreateAppPassword } from './queries.ts';

type Props = {
  FolderField: ComponentType<FolderFieldProps>;
  /** The link whose page it was opened from. */
  link?: { readonly linkUri: string; readonly name: string };
  onCreated: (made: NewSecrets) => void;
  onClose: () => void;
};

const days = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

/** Makes an app password: its name, what it opens, what it may do there, and its end. */
export function NewPasswordDialog({ FolderField, link, onCreated, onClose }: Props) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState(link ? 'link' : 'all');
  const [folder, setFolder] = useState<ChosenFolder>();
  const [rights, setRights] = useState<AppPasswordRights>('write');
  const [end, setEnd] = useState('');
  const create = useCreateAppPassword();
  const scopes = [
    ...(link ? [{ value: 'link', label: `Only ${link.name}` }] : []),
    { value: 'all', label: 'All links and Spaces' },
    { value: 'folder', label: 'One folder' },
  ];
  const isReady = name.trim() !== '' && (scope !== 'folder' || folder !== undefined);
  const linkUris = (): string[] => {
    if (scope === 'all') return [];
    const chosen = scope === 'link' ? link?.linkUri : folder?.linkUri;
    return chosen === undefined ? [] : [chosen];
  };
  const submit = (): void => {
    if (!isReady || create.isPending) return;
    const expires = end === '' ? {} : { expires: Math.trunc(Date.now() / 1000) + Number(end) * 86_400 };
    create.mutate({ name: name.trim(), linkUri: linkUris(), rights, ...expires }, { onSuccess: onCreated });
  };
  return (
    <Dialog
      title="New app password"
      sentence="For one program or device. You can revoke it at any time."
      onClose={onClose}
      busy={create.isPending}
    >
      <form action={submit}>
        <DialogFields>
          <TextInput
            label="Name"
            name="app-password-name"
            placeholder="Laptop"
            maxLength={100}
            autoComplete="off"
            data-autofocus
            required
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              create.reset();
            }}
          />
          <NativeSelect label="Access to" data={scopes} value={scope} onChange={(event) => setScope(event.currentTarget.value)} />
          {scope === 'folder' && (
            <FolderField label="Folder" placeholder="Choose a folder" disabled={create.isPending} onChoose={setFolder} />
          )}
          <DialogPair>
            <NativeSelect
              label="Rights"
              data={[
                { value: 'write', label: 'Read and write' },
                { value: 'read', label: 'Read' },
              ]}
              value={rights}
              onChange={(event) => setRights(event.currentTarget.value === 'read' ? 'read' : 'write')}
            />
            <NativeSelect label="Expires" data={days} value={end} onChange={(event) => setEnd(event.currentTarget.value)} />
          </DialogPair>
        </DialogFields>
        {create.error && (
          <Notice kind="error" inDialog>
            {errorText(create.error)}
          </Notice>
        )}
        <DialogButtons>
          <Button variant="subtle" onClick={onClose} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" disabled={!isReady} loading={create.isPending}>
            Create password
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
