import { Button } from '@mantine/core';
import { type ReplyOf, type showSpaceInvitation, errorTable } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { invitationOf } from '#/features/spaces/queries.ts';
import { roleSentences } from '#/features/spaces/words.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useHashParams } from '#/lib/navigation/location.ts';
import { forgetToken, keepToken, keptToken } from '#/lib/session/kept-token.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { Gate, gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { Answers } from './Answers.tsx';
import { SignInFirst } from './SignInFirst.tsx';

/** Page for answering an invitation, also the return address of a sign-in. */
export const invitationPath = '/invitation/space';

type Invitation = ReplyOf<typeof showSpaceInvitation>;

/** Opened from a mail: the invitation and its answer, which needs a session. */
export function InvitationPage() {
  const { token = keptToken(invitationPath) ?? '' } = useHashParams();
  const { data, error, refetch } = useQuery({ ...invitationOf(token), enabled: token !== '' });
  const session = useQuery(sessionQuery);
  const [isDeclined, setDeclined] = useState(false);

  if (isDeclined) return <Gate title="You have declined the invitation." sentence="You can close this page now." />;
  if (token === '') return <NoToken isSignedIn={session.data?.session !== undefined} />;
  if (error) {
    const isSpent = error instanceof CallError && error.errorCode === errorTable.INVITATION_SPENT.code;
    return (
      <Gate
        title={isSpent ? 'This invitation is no longer valid' : 'The invitation cannot be shown'}
        sentence={isSpent ? 'Please ask for a new one.' : errorText(error)}
      >
        <div className={gateForm}>
          {isSpent ? (
            <Button component={PathLink} href="/account/mysheaf?catid=spaces">
              Go to Spaces
            </Button>
          ) : (
            <Button onClick={() => void refetch()}>Try again</Button>
          )}
        </div>
      </Gate>
    );
  }
  if (!data || session.isPending) return <Gate title="One moment..." />;
  const gone = (): void => {
    forgetToken(invitationPath);
    setDeclined(true);
  };
  return <Shown token={token} invitation={data} account={session.data?.session?.loginAccount} onDeclined={gone} />;
}

type ShownProps = { token: string; invitation: Invitation; account: string | undefined; onDeclined: () => void };

function Shown({ token, invitation, account, onDeclined }: ShownProps) {
  const { name, ownerName, role, email, hasAccount } = invitation;
  const go = useGo();
  const isOther = account !== undefined && account.toLowerCase() !== email.toLowerCase();
  return (
    <Gate title={`${ownerName} shares ${name} with you`} sentence={roleSentences[role]}>
      {account === undefined && (
        <div className={gateForm}>
          <Notice kind="note">This invitation is for {email}.</Notice>
        </div>
      )}
      {isOther && (
        <div className={gateForm}>
          <Notice kind="note">
            This invitation is for {email}. You are signed in as {account}.
          </Notice>
        </div>
      )}
      {account === undefined || isOther ? (
        <SignInFirst
          email={email}
          hasAccount={hasAccount}
          isSignedIn={isOther}
          path={invitationPath}
          onLeave={() => keepToken(invitationPath, token)}
        />
      ) : null}
      <Answers
        token={token}
        mayAccept={account !== undefined && !isOther}
        onAccepted={({ browseUrl }) => {
          forgetToken(invitationPath);
          go(browseUrl, { replace: true });
        }}
        onDeclined={onDeclined}
      />
    </Gate>
  );
}

/** The token was lost, for example during a sign-in elsewhere; with a verified address the invitation is in the list of Spaces. */
function NoToken({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <Gate
      title="Which invitation?"
      sentence={
        isSignedIn
          ? 'Invitations to your address wait for your answer in Spaces. If it is not there, open the link in the mail once more.'
          : 'Open the link in the mail once more.'
      }
    >
      <div className={gateForm}>
        <Button variant="filled" component={PathLink} href="/account/mysheaf?catid=spaces">
          Go to Spaces
        </Button>
      </div>
    </Gate>
  );
}
