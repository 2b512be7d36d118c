import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { AppPasswordRights } from '@sheaf/contract';
import { type ComponentType, type ReactNode, useState } from 'react';
import type { ChosenFolder, FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields, DialogPair } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';

/** The folders that a program may open, its rights, and its expiration. */
export interface AccessInput {
  readonly name: string;
  readonly linkUri: string[];
  readonly rights: AppPasswordRights;
  readonly expires?: number;
}

/** Props of the dialogs that give a program access. */
export type AccessProps = {
  FolderField: ComponentType<FolderFieldProps>;
  /** The link whose page it was opened from. */
  link?: { readonly linkUri: string; readonly name: string };
  onClose: () => void;
};

type Props = AccessProps & {
  title: string;
  sentence: string;
  action: string;
  /** Fields after the name; `canSubmit` says whether they are filled in. */
  children?: ReactNode;
  canSubmit?: boolean;
  isBusy: boolean;
  error: unknown;
  onChange: () => void;
  onSubmit: (input: AccessInput) => void;
};

const days = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

/** Gives a program access: its name, folders, rights and expiration. */
export function AccessDialog({ FolderField, link, title, sentence, action, children, canSubmit = true, isBusy, error, ...on }: Props) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState(link ? 'link' : 'all');
  const [folder, setFolder] = useState<ChosenFolder>();
  const [rights, setRights] = useState<AppPasswordRights>('write');
  const [end, setEnd] = useState('');
  const scopes = [
    ...(link ? [{ value: 'link', label: `Only ${link.name}` }] : []),
    { value: 'all', label: 'All links and Spaces' },
    { value: 'folder', label: 'One folder' },
  ];
  const isReady = canSubmit && name.trim() !== '' && (scope !== 'folder' || folder !== undefined);
  const linkUris = (): string[] => {
    if (scope === 'all') return [];
    const chosen = scope === 'link' ? link?.linkUri : folder?.linkUri;
    return chosen === undefined ? [] : [chosen];
  };
  const submit = (): void => {
    if (!isReady || isBusy) return;
    const expires = end === '' ? {} : { expires: Math.trunc(Date.now() / 1000) + Number(end) * 86_400 };
    on.onSubmit({ name: name.trim(), linkUri: linkUris(), rights, ...expires });
  };
  return (
    <Dialog title={title} sentence={sentence} onClose={on.onClose} busy={isBusy}>
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
              on.onChange();
            }}
          />
          {children}
          <NativeSelect label="Access to" data={scopes} value={scope} onChange={(event) => setScope(event.currentTarget.value)} />
          {scope === 'folder' && <FolderField label="Folder" placeholder="Choose a folder" disabled={isBusy} onChoose={setFolder} />}
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
        {error !== null && (
          <Notice kind="error" inDialog>
            {errorText(error)}
          </Notice>
        )}
        <DialogButtons>
          <Button variant="subtle" onClick={on.onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" disabled={!isReady} loading={isBusy}>
            {action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
