import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { notifyDone } from '#/ui/feedback/notify.ts';
import { useExportRclone } from './queries.ts';
import classes from './account-data.module.css';

/** Asks for the password before secrets leave the server; the server may also ask for a second factor. */
export function ExportRclone({ hasPassword }: { hasPassword: boolean }) {
  const [password, setPassword] = useState('');
  const take = useExportRclone();
  const submit = (): void =>
    take.mutate(password, {
      onSuccess: () => {
        setPassword('');
        notifyDone('rclone.conf was downloaded.');
      },
    });
  return (
    <form className={classes.form} action={submit}>
      <Notice kind="note">
        Whoever has this file can open all of these storages: rclone only obscures passwords. Keep it where nobody else reads it, and delete
        it when it has served.
      </Notice>
      {hasPassword && (
        <PasswordInput
          className={classes.wide}
          label="Your Sheaf password"
          name="password"
          autoComplete="current-password"
          value={password}
          error={take.error && wordsOf(take.error)}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            take.reset();
          }}
        />
      )}
      {!hasPassword && take.error && <Notice kind="error">{errorText(take.error)}</Notice>}
      <Button type="submit" disabled={hasPassword && password === ''} loading={take.isPending}>
        Download rclone.conf
      </Button>
    </form>
  );
}

const wordsOf = (error: Error): string =>
  error instanceof CallError && error.is('INVALID_CREDENTIALS') ? 'That is not the password of your account.' : errorText(error);
