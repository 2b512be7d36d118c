import { Button, Loader, PasswordInput } from '@mantine/core';
import { isSession } from '@sheaf/contract';
import { useEffect, useState } from 'react';
import { useConfirmSignUp } from '#/features/accounts/queries.ts';
import { targetAfterSignIn } from '#/features/accounts/return-target.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { signInAddress } from '#/lib/session/sign-in-address.ts';
import { Gate, gateFoot, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink } from '#/ui/PathLink.tsx';

/** Creates the account of a mailed link and continues to `to`; in another browser it asks for the password first. */
export function ConfirmSignUp({ token, to }: { token: string; to: string | undefined }) {
  const target = targetAfterSignIn(to);
  const { mutate, data, error, isPending } = useConfirmSignUp(target);
  const [email, setEmail] = useState<string>();
  const [password, setPassword] = useState('');
  const hasSession = data !== undefined && isSession(data);
  useEffect(() => mutate({ token }, { onSuccess: (answer) => isSession(answer) || setEmail(answer.passwordOf) }), [token, mutate]);

  if (error instanceof CallError && (error.is('TOKEN_SPENT') || error.is('EMAIL_TAKEN')))
    return (
      <Gate
        title="This link is no longer valid."
        sentence="If you have opened it before, please sign in; otherwise sign up again."
        whole={false}
      >
        <div className={gateForm}>
          <Button variant="filled" component={PathLink} href={signInAddress(target, { cancelUrl: '/' })}>
            Sign in
          </Button>
        </div>
      </Gate>
    );
  if (email !== undefined && !hasSession)
    return (
      <Gate title="Confirm with your password" sentence={`You signed up in another browser with ${email}.`} whole={false}>
        <form className={gateForm} action={() => mutate({ token, password })}>
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            autoFocus
            required
            value={password}
            description="The one that you chose when you signed up."
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {error && <Notice kind="error">{errorText(error)}</Notice>}
          <Button type="submit" variant="filled" disabled={password === ''} loading={isPending}>
            Open my account
          </Button>
        </form>
        <p className={gateFoot}>If you did not sign up, close this page: nothing happens.</p>
      </Gate>
    );
  if (error)
    return (
      <Gate title="Your account could not be opened" sentence={errorText(error)} whole={false}>
        <div className={gateForm}>
          <Button variant="filled" onClick={() => mutate({ token })}>
            Try again
          </Button>
        </div>
      </Gate>
    );
  return (
    <Gate title="Opening your account..." whole={false}>
      <div className={gateForm} role="status" aria-label="Opening">
        <Loader size={22} color="var(--accent)" mx="auto" />
      </div>
    </Gate>
  );
}
