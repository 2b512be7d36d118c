import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { invitation, useAccept, useDecline } from '#/features/orgs/queries.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useHashParams } from '#/lib/navigation/location.ts';
import { orgHome } from '#/lib/org-address.ts';
import { forgetToken, keepToken, keptToken } from '#/lib/session/kept-token.ts';
import { sessionQuery, useSession } from '#/lib/session/session.ts';
import { signInAddress, signUpAddress } from '#/lib/session/sign-in-address.ts';
import { useSignOut } from '#/lib/session/sign-out.ts';
import { mayInvitedSignUp, whyNoSignUp } from '#/lib/session/sign-up-rules.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { Gate, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { Skeleton } from '#/ui/feedback/Skeleton.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';

const here = '/invitation/org';

/** Opened from a mail: the invitation and its answer. The token stays in the hash and in the page's memory. */
export function InvitationPage() {
  const { token: inHash } = useHashParams();
  const token = inHash ?? keptToken(here);
  useEffect(() => {
    if (inHash !== undefined) keepToken(here, inHash);
  }, [inHash]);
  return token === undefined || token === '' ? <NoToken /> : <Invited key={token} token={token} />;
}

function Invited({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(invitation(token));
  const [isDeclined, setDeclined] = useState(false);
  const signedIn = useQuery(sessionQuery);
  const decline = useDecline();
  const [isDeclining, setDeclining] = useState(false);
  const signOut = useSignOut();
  const go = useGo();
  const accept = useAccept(() => {
    forgetToken(here);
    go(orgHome, { replace: true });
  });

  if (isDeclined) return <Gate title="You have declined the invitation." />;
  if (error) {
    const isSpent = error instanceof CallError && error.is('INVITATION_SPENT');
    return isSpent ? <Spent /> : <Failed reason={errorText(error)} onRetry={() => void refetch()} />;
  }
  if (!data || signedIn.isPending) {
    return (
      <Gate title="Loading...">
        <div className={gateForm} role="status" aria-label="Loading the invitation">
          <Skeleton />
          <Skeleton width="60%" />
        </div>
      </Gate>
    );
  }
  const { name, invitedBy, email, role, hasAccount } = data;
  const session = signedIn.data?.session;
  const mayJoin = mayInvitedSignUp(signedIn.data?.signUp);
  const signUp = signUpAddress(here, email);
  const isOther = session !== undefined && session.loginAccount.toLowerCase() !== email.toLowerCase();
  const isBusy = accept.isPending || decline.isPending;
  const fault = accept.error ?? decline.error ?? signOut.error;
  const declineButton = (
    <Button variant="subtle" disabled={isBusy} onClick={() => setDeclining(true)}>
      Decline
    </Button>
  );
  const declined = (): void => {
    forgetToken(here);
    setDeclined(true);
  };
  return (
    <Gate
      title={`Join ${name}`}
      sentence={`${invitedBy} invites ${email} to the organisation${role === 'admin' ? ' as an admin' : ''}. Members share the storage that it has linked.`}
    >
      <div className={gateForm}>
        {fault && <Notice kind="error">{errorText(fault)}</Notice>}
        {session === undefined && (
          <>
            {!mayJoin && !hasAccount && <Notice kind="note">{whyNoSignUp(signedIn.data?.signUp)}</Notice>}
            <Button variant="filled" component={PathLink} href={hasAccount || !mayJoin ? signInAddress(here) : signUp}>
              {hasAccount || !mayJoin ? 'Sign in to join' : 'Sign up to join'}
            </Button>
            {mayJoin && (
              <Button component={PathLink} href={hasAccount ? signUp : signInAddress(here)}>
                {hasAccount ? 'Sign up' : 'Sign in'}
              </Button>
            )}
          </>
        )}
        {isOther && (
          <>
            <Notice kind="note">
              This invitation is for {email}. You are signed in as {session.loginAccount}.
            </Notice>
            <Button
              variant="filled"
              loading={signOut.isPending}
              onClick={() => signOut.mutate(undefined, { onSuccess: () => go(signInAddress(here)) })}
            >
              Sign in with another account
            </Button>
          </>
        )}
        {session !== undefined && !isOther && (
          <Button variant="filled" loading={accept.isPending} disabled={isBusy} onClick={() => accept.mutate({ token })}>
            Accept
          </Button>
        )}
        {!isOther && declineButton}
        {isDeclining && (
          <ConfirmDialog
            title="Decline this invitation?"
            confirm="Decline"
            cancel="Not now"
            busy={decline.isPending}
            onConfirm={() => decline.mutate({ token }, { onSuccess: declined, onSettled: () => setDeclining(false) })}
            onClose={() => setDeclining(false)}
          >
            You would have to be invited again.
          </ConfirmDialog>
        )}
      </div>
    </Gate>
  );
}

function Spent() {
  const session = useSession();
  return (
    <Gate title="This invitation is no longer valid" sentence="Please ask for a new one.">
      <div className={gateForm}>
        <Button variant="filled" component={PathLink} href={session ? orgHome : '/'}>
          {session ? 'Show my organisations' : 'Go to the start page'}
        </Button>
      </div>
    </Gate>
  );
}

/** The token was lost, for example during a sign-in elsewhere; with a verified address the invitation is on the organisations' page. */
function NoToken() {
  return (
    <Gate
      title="Which invitation?"
      sentence="Invitations to your address wait for your answer among your organisations. If it is not there, open the link in the message once more."
    >
      <div className={gateForm}>
        <Button variant="filled" component={PathLink} href={orgHome}>
          Show my organisations
        </Button>
      </div>
    </Gate>
  );
}

function Failed({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  return (
    <Gate title="The invitation could not be shown" sentence={reason}>
      <div className={gateForm}>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </Gate>
  );
}
