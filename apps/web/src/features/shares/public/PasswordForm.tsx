import { Button, PasswordInput } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { useOpenShare } from './queries.ts';
import classes from './public.module.css';

/** Asks for a share's password before anything of it is shown. */
export function PasswordForm({ weblinkId }: { weblinkId: string }) {
  const [password, setPassword] = useState('');
  const open = useOpenShare(weblinkId);
  const submit = (): void => {
    if (password !== '' && !open.isPending) open.mutate(password);
  };
  return (
    <div className={classes.gate}>
      <section className={classes.card}>
        <span className={classes.lock}>
          <IconLock size={24} stroke={1.5} aria-hidden="true" />
        </span>
        <h1>This link is protected.</h1>
        <p>Enter the password.</p>
        <form action={submit}>
          <PasswordInput
            label="Password"
            autoComplete="off"
            autoFocus
            value={password}
            error={open.error ? errorText(open.error) : undefined}
            errorProps={{ role: 'alert' }}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              open.reset();
            }}
          />
          <Button type="submit" variant="filled" disabled={password === ''} loading={open.isPending}>
            Open
          </Button>
        </form>
      </section>
    </div>
  );
}
