import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { limits } from '@sheaf/contract';
import { useState } from 'react';
import { useSetPassword } from '#/features/accounts/security/security-queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { notifyDone } from '#/ui/feedback/notify.ts';

/** Sets or changes the password. */
export function PasswordDialog({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [endsCodes, setEndsCodes] = useState(true);
  const set = useSetPassword();
  const submit = (): void => {
    if (password === '' || set.isPending) return;
    set.mutate(
      { newPassword: password, keepAuthCodes: !endsCodes },
      {
        onSuccess: () => {
          notifyDone(hasPassword ? 'Your password was changed, and all other sessions were ended.' : 'Your password was set.');
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title={hasPassword ? 'Change password' : 'Set password'}
      sentence="All other sessions are ended."
      onClose={onClose}
      busy={set.isPending}
    >
      <form action={submit}>
        <DialogFields>
          <PasswordInput
            label="New password"
            name="new-password"
            autoComplete="new-password"
            data-autofocus
            required
            description={`At least ${limits.passwordLength.min} characters.`}
            value={password}
            error={set.error && errorText(set.error)}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              set.reset();
            }}
          />
          <Checkbox
            label="Also revoke authentication codes and sign out command-line clients"
            checked={endsCodes}
            onChange={(event) => setEndsCodes(event.currentTarget.checked)}
          />
        </DialogFields>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" disabled={password === ''} loading={set.isPending}>
            Save password
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
