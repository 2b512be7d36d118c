import { Button, PasswordInput } from '@mantine/core';
import { limits } from '@sheaf/contract';
import { useState } from 'react';
import { useResetPassword } from '#/features/accounts/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useHashParams } from '#/lib/navigation/location.ts';
import { visitorSignInAddress } from '#/lib/session/sign-in-address.ts';
import { Gate, gateFoot, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink } from '#/ui/PathLink.tsx';

/** Sets a new password with a mailed token. */
export function ResetPasswordPage() {
  const { token = '' } = useHashParams();
  const [password, setPassword] = useState('');
  const reset = useResetPassword();
  if (reset.isSuccess) {
    return (
      <Gate title="Your new password is set" sentence="Every session of your account has ended.">
        <div className={gateForm}>
          <Button variant="filled" component={PathLink} href={visitorSignInAddress('/', 'account', 'email')}>
            Sign in
          </Button>
        </div>
      </Gate>
    );
  }
  return (
    <Gate title="Set a new password">
      <form className={gateForm} action={() => reset.mutate({ token, password })}>
        <PasswordInput
          label="New password"
          name="password"
          autoComplete="new-password"
          autoFocus
          required
          value={password}
          description={`At least ${limits.passwordLength.min} characters.`}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            reset.reset();
          }}
        />
        {reset.error && <Notice kind="error">{errorText(reset.error)}</Notice>}
        <Button type="submit" variant="filled" disabled={password === ''} loading={reset.isPending}>
          Set password
        </Button>
      </form>
      <p className={gateFoot}>
        <PathLink href="/login/forgot">Ask for another link</PathLink>
      </p>
    </Gate>
  );
}
