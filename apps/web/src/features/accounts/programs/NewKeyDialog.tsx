import { Button, FileButton, Textarea } from '@mantine/core';
import { type AppPassword, isPrivateSshKey, longestSshKey } from '@sheaf/contract';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { WordedError } from '#/lib/http/error-text.ts';
import { rowText } from '#/lib/http/row-text.ts';
import { AccessDialog, type AccessProps } from './AccessDialog.tsx';
import { useAddSshKey } from './queries.ts';
import classes from './programs.module.css';

const refused = (code: 'SSH_KEY_PRIVATE' | 'SSH_KEY_UNREADABLE') => new WordedError(rowText(code, {}));

/** Adds a public SSH key. A private one stays in the browser and leaves the field. */
export function NewKeyDialog({ onAdded, ...props }: AccessProps & { onAdded: (key: AppPassword) => void }) {
  const [publicKey, setPublicKey] = useState('');
  const [problem, setProblem] = useState<unknown>();
  const add = useAddSshKey();
  const take = (text: string): void => {
    add.reset();
    const isPrivate = isPrivateSshKey(text);
    setProblem(isPrivate ? refused('SSH_KEY_PRIVATE') : undefined);
    setPublicKey(isPrivate ? '' : text);
  };
  const read = (file: File | null): void => {
    if (!file) return;
    if (file.size > longestSshKey) setProblem(refused('SSH_KEY_UNREADABLE'));
    else void file.text().then(take);
  };
  return (
    <AccessDialog
      {...props}
      title="Add an SSH key"
      sentence="For programs that speak SFTP. You can revoke it at any time."
      action="Add key"
      canSubmit={publicKey.trim() !== ''}
      isBusy={add.isPending}
      error={problem ?? add.error}
      onChange={add.reset}
      onSubmit={(input) => add.mutate({ ...input, publicKey }, { onSuccess: ({ appPassword }) => onAdded(appPassword) })}
    >
      <Textarea
        classNames={{ input: classes.paste ?? '' }}
        label="Public key"
        name="public-key"
        placeholder="ssh-ed25519 AAAA… you@laptop"
        autoComplete="off"
        spellCheck={false}
        rows={4}
        required
        maxLength={longestSshKey}
        value={publicKey}
        onChange={(event) => take(event.currentTarget.value)}
      />
      <FileButton onChange={read} accept=".pub,text/plain">
        {(button) => (
          <Button {...button} size="xs" className={classes.file ?? ''} leftSection={<IconUpload size={16} stroke={1.75} />}>
            Choose a .pub file
          </Button>
        )}
      </FileButton>
    </AccessDialog>
  );
}
