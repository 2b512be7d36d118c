import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { again } from '#/features/accounts/again.ts';
import { signUpInvitation } from '#/features/accounts/queries.ts';
import { EmailForms } from '#/features/accounts/sign-in/EmailForms.tsx';
import { ProviderButtons } from '#/features/accounts/sign-in/ProviderButtons.tsx';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { useHashParams, useQueryParams } from '#/lib/navigation/location.ts';
import { useRoute } from '#/lib/navigation/route.ts';
import { keepToken } from '#/lib/session/kept-token.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { keptInvitation, signUpPath, useSignUpRules, whyNoSignUp } from '#/lib/session/sign-up-rules.ts';
import { useBrand } from '#/ui/brand/brand.ts';
import { Gate, gateFoot, gateForm } from '#/ui/feedback/Gate.tsx';
import { PathLink } from '#/ui/PathLink.tsx';

/** Sign-up: the same ways as for sign-in, as far as this installation admits new accounts. */
export function SignUpPage() {
  const { name } = useBrand();
  const { provider, ...query } = useQueryParams();
  const { invitation } = useHashParams();
  const path = useRoute()?.route.pattern ?? signUpPath;
  const rules = useSignUpRules();
  const { hasPasswords = true } = useQuery(sessionQuery).data ?? {};
  const why = whyNoSignUp(rules);

  if (rules?.mode === 'closed' && why !== undefined) return <NotPossible why={why} />;
  if (invitation !== undefined) return <Invited token={invitation} />;
  if (why !== undefined && keptInvitation() === undefined)
    return <NotPossible why={`${why} Open the link in your invitation, or ask whoever runs this Sheaf for one.`} />;
  // Providers cannot ask for the code.
  if ((provider === 'email' && hasPasswords) || rules?.setup === 'code') return <EmailForms first="signUp" />;
  return (
    <Gate title={`Sign up for ${name}`} sentence="One account for all your storage.">
      <ProviderButtons emailHref={withQuery(path, { ...query, provider: 'email' })} />
      <p className={gateFoot}>
        Already have an account? <PathLink href={again(query)}>Sign in</PathLink>
      </p>
    </Gate>
  );
}

function NotPossible({ why }: { why: string }) {
  const query = useQueryParams();
  return (
    <Gate title="You cannot sign up here" sentence={why}>
      <div className={gateForm}>
        <Button variant="filled" component={PathLink} href={again(query)}>
          Sign in
        </Button>
      </div>
    </Gate>
  );
}

/** Opened by an invitation: the form with the invited address. The token stays in the hash and in the page's memory. */
function Invited({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(signUpInvitation(token));
  const { name } = useBrand();
  const { hasPasswords = true } = useQuery(sessionQuery).data ?? {};
  const query = useQueryParams();
  useEffect(() => {
    if (data) keepToken(signUpPath, token);
  }, [data, token]);
  if (data && !hasPasswords)
    return (
      <Gate title={`Sign up for ${name}`} sentence="One account for all your storage.">
        <ProviderButtons emailHref="" />
      </Gate>
    );
  if (data) return <EmailForms first="signUp" invited={data.email ?? ''} />;
  if (error === null) return <Gate title="Loading..." />;
  const isSpent = error instanceof CallError && error.is('INVITATION_SPENT');
  return (
    <Gate
      title={isSpent ? 'This invitation is no longer valid' : 'The invitation could not be shown'}
      sentence={
        isSpent ? 'It may have been used, taken back, or have ended. If you have an account already, please sign in.' : errorText(error)
      }
    >
      <div className={gateForm}>
        {isSpent ? (
          <Button variant="filled" component={PathLink} href={again(query)}>
            Sign in
          </Button>
        ) : (
          <Button variant="filled" onClick={() => void refetch()}>
            Try again
          </Button>
        )}
      </div>
    </Gate>
  );
}
