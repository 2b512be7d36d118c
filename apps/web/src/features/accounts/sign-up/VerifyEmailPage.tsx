import { Button, Loader } from '@mantine/core';
import { useEffect } from 'react';
import { useResendVerification, useVerifyEmail } from '#/features/accounts/queries.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useHashParams } from '#/lib/navigation/location.ts';
import { useSession } from '#/lib/session/session.ts';
import { signInAddress } from '#/lib/session/sign-in-address.ts';
import { Gate, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { ConfirmSignUp } from './ConfirmSignUp.tsx';

/** Opened from a mail: creates the account of somebody who signed up, or confirms an account's address. */
export function VerifyEmailPage() {
  const { token = '', signUp, to } = useHashParams();
  return signUp === undefined ? <Verify token={token} /> : <ConfirmSignUp token={signUp} to={to} />;
}

function Verify({ token }: { token: string }) {
  const { mutate, data, error } = useVerifyEmail();
  useEffect(() => mutate(token), [token, mutate]);
  if (data) {
    return (
      <Gate title="Your e-mail address is verified." sentence={data.email} whole={false}>
        <div className={gateForm}>
          <Button variant="filled" component={PathLink} href="/account/mysheaf">
            Go to my Sheaf
          </Button>
        </div>
      </Gate>
    );
  }
  if (error) {
    if (token === '' || (error instanceof CallError && error.is('TOKEN_SPENT'))) return <Spent />;
    if (error instanceof CallError && error.is('EMAIL_TAKEN')) return <Taken />;
    if (error instanceof CallError && error.is('NOT_THE_ACCOUNT')) return <Elsewhere reason={errorText(error)} />;
    return (
      <Gate title="Your e-mail address could not be verified" sentence={errorText(error)} whole={false}>
        <div className={gateForm}>
          <Button variant="filled" onClick={() => mutate(token)}>
            Try again
          </Button>
        </div>
      </Gate>
    );
  }
  return (
    <Gate title="Verifying your e-mail address..." whole={false}>
      <div className={gateForm} role="status" aria-label="Verifying">
        <Loader size={22} color="var(--accent)" mx="auto" />
      </div>
    </Gate>
  );
}

/** The pending address has meanwhile been taken by another account. */
function Taken() {
  return (
    <Gate title="Another account has this address by now" sentence="Your account keeps the address it had." whole={false}>
      <ToProfile />
    </Gate>
  );
}

/** The pending address belongs to an account that is not signed in here. The token stays in the mail: in an address it would be visible. */
function Elsewhere({ reason }: { reason: string }) {
  const session = useSession();
  return (
    <Gate title="Sign in to confirm this address" sentence={reason} whole={false}>
      {session ? (
        <ToProfile />
      ) : (
        <div className={gateForm}>
          <Button variant="filled" component={PathLink} href={signInAddress('/account/profile', { cancelUrl: '/' })}>
            Sign in
          </Button>
        </div>
      )}
    </Gate>
  );
}

function ToProfile() {
  return (
    <div className={gateForm}>
      <Button variant="filled" component={PathLink} href="/account/profile">
        Go to my profile
      </Button>
    </div>
  );
}

function Spent() {
  const session = useSession();
  const resend = useResendVerification();
  if (resend.isSuccess)
    return <Gate title="A new message is on its way" sentence={session?.pendingEmail ?? session?.loginAccount} whole={false} />;
  if (session?.emailVerified && session.pendingEmail === undefined) {
    return (
      <Gate title="This verification link is no longer valid." sentence={`${session.loginAccount} is verified.`} whole={false}>
        <ToProfile />
      </Gate>
    );
  }
  return (
    <Gate title="This verification link is no longer valid." sentence="Please ask for a new one." whole={false}>
      <div className={gateForm}>
        {resend.error && <Notice kind="error">{errorText(resend.error)}</Notice>}
        {session ? (
          <Button variant="filled" loading={resend.isPending} onClick={() => resend.mutate()}>
            Send a new one
          </Button>
        ) : (
          <Button variant="filled" component={PathLink} href={signInAddress('/account/profile', { cancelUrl: '/' })}>
            Sign in to send a new one
          </Button>
        )}
      </div>
    </Gate>
  );
}
