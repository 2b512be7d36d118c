import { type SignInAnswer, isSignInProvider, signInPath } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { again } from '#/features/accounts/again.ts';
import { dateOf } from '#/features/accounts/dates.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { useHashParams, useQueryParams } from '#/lib/navigation/location.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { useBrand } from '#/ui/brand/brand.ts';
import { Gate, gateFoot } from '#/ui/feedback/Gate.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { CancelSignIn } from './CancelSignIn.tsx';
import { EmailForms } from './EmailForms.tsx';
import { NewHere } from './NewHere.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';
import { ProviderButtons } from './ProviderButtons.tsx';
import { ClosingAccount, SignInSteps } from './SignInSteps.tsx';
import classes from '../accounts.module.css';

/** Sign-in with a provider, email or a passkey. `provider` in the address chooses one; the hash announces an account that is being closed. */
export function SignInPage() {
  const { name } = useBrand();
  const query = useQueryParams();
  const { closing, closesAt, closed } = useHashParams();
  const [answer, setAnswer] = useState<SignInAnswer>();
  const [isStartingOver, setStartingOver] = useState(false);
  const straight = useQuery(sessionQuery).data?.signInProviders.find(({ isDirect }) => isDirect)?.provider;
  // An account that is being closed is asked about here first.
  const provider = query['provider'] ?? (closing === undefined && closed === undefined ? straight : undefined);
  const leaving = isSignInProvider(provider);
  useEffect(() => {
    if (!isSignInProvider(provider)) return;
    const { provider: _, ...rest } = query;
    location.replace(withQuery(signInPath(provider), rest));
  }, [provider, query]);

  if (answer) return <SignInSteps answer={answer} onStartOver={() => setAnswer(undefined)} />;
  if (closing !== undefined && !isStartingOver)
    return <ClosingAccount ticket={closing} closesAt={Number(closesAt)} onStartOver={() => setStartingOver(true)} />;
  if (provider === 'email') return <EmailForms first="signIn" />;
  const farewell =
    closed === undefined ? undefined : `Your account will be closed on ${dateOf(Number(closed))}. Sign in before then to keep it.`;
  return (
    <Gate title={`Sign in to ${name}`} sentence={leaving ? 'One moment...' : farewell}>
      {!leaving && (
        <>
          <ProviderButtons emailHref={again(query, 'email')} />
          <PasskeyButton onStep={setAnswer} />
          <p className={classes.quiet}>All your stuff is private.</p>
          <p className={gateFoot}>
            <NewHere>
              <PathLink href={withQuery('/signup/start', query)}>Create an account</PathLink>
            </NewHere>
          </p>
          <CancelSignIn />
        </>
      )}
    </Gate>
  );
}
