import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { visitorSignInAddress } from '#/lib/session/sign-in-address.ts';
import { useSignOut } from '#/lib/session/sign-out.ts';
import { Gate, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink } from '#/ui/PathLink.tsx';

/** Ends the session in all tabs. */
export function SignOutPage() {
  const { mutate, isSuccess, data: there, error } = useSignOut();
  useEffect(() => mutate(), [mutate]);
  useEffect(() => {
    if (there !== undefined) location.assign(there);
  }, [there]);
  if (error) {
    return (
      <Gate title="You are still signed in">
        <div className={gateForm}>
          <Notice kind="error">{errorText(error)}</Notice>
          <Button variant="filled" onClick={() => mutate()}>
            Try again
          </Button>
        </div>
      </Gate>
    );
  }
  if (!isSuccess || there !== undefined) return <Gate title="Signing out..." />;
  return (
    <Gate title="You have been signed out.">
      <div className={gateForm}>
        <Button variant="filled" component={PathLink} href={visitorSignInAddress('/', 'page')}>
          SIGN IN
        </Button>
      </div>
    </Gate>
  );
}
