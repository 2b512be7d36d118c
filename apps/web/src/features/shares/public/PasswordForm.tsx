import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { Button } from '#/ui/button/Button.tsx';
import { PasswordField } from '#/ui/field/PasswordField.tsx';
import { openWithPassword } from './queries.ts';
import classes from './public.module.css';

/** Asks for a share's password before anything of it is shown. */
export function PasswordForm({ weblinkId, onOpened }: { weblinkId: string; onOpened: (() => void) | undefined }) {
  const [password, setPassword] = useState('');
  const [isOpening, setOpening] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = (): void => {
    if (password === '' || isOpening) return;
    setOpening(true);
    openWithPassword(weblinkId, password)
      .then(onOpened, setError)
      .finally(() => setOpening(false));
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
          <PasswordField
            label="Password"
            autoComplete="off"
            autoFocus
            value={password}
            error={error === undefined ? undefined : errorText(error)}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              setError(undefined);
            }}
          />
          <Button type="submit" variant="filled" disabled={password === ''} loading={isOpening}>
            Open
          </Button>
        </form>
      </section>
    </div>
  );
}
