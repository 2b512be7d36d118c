import { Button } from '@mantine/core';
import { errorText } from '#/lib/http/error-text.ts';
import { signInAddress, signUpAddress } from '#/lib/session/sign-in-address.ts';
import { useSignOut } from '#/lib/session/sign-out.ts';
import { mayInvitedSignUp, useSignUpRules, whyNoSignUp } from '#/lib/session/sign-up-rules.ts';
import { gateForm } from '#/ui/feedback/Gate.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';

type Props = {
  /** The invited address. */
  email: string;
  hasAccount: boolean;
  /** Whether another user is signed in. */
  isSignedIn: boolean;
  /** Return address. */
  path: string;
  /** Called before the page is left. */
  onLeave: () => void;
};

/** Ways to sign in for an invitation; the token is not passed along. */
export function SignInFirst({ email, hasAccount, isSignedIn, path, onLeave }: Props) {
  const signOut = useSignOut();
  const go = useGo();
  const rules = useSignUpRules();
  const signIn = signInAddress(path, { flowOrigin: 'spaces' });
  if (isSignedIn) {
    return (
      <div className={gateForm}>
        {signOut.error && <Notice kind="error">{errorText(signOut.error)}</Notice>}
        <Button
          variant="filled"
          loading={signOut.isPending}
          onClick={() => {
            onLeave();
            signOut.mutate(undefined, { onSuccess: () => go(signIn) });
          }}
        >
          Sign in with another account
        </Button>
      </div>
    );
  }
  const signUp = signUpAddress(path, email);
  const mayJoin = mayInvitedSignUp(rules);
  const ways = [{ title: 'Sign in', href: signIn }, ...(mayJoin ? [{ title: 'Sign up', href: signUp }] : [])];
  return (
    <div className={gateForm}>
      {!mayJoin && !hasAccount && <Notice kind="note">{whyNoSignUp(rules)}</Notice>}
      {(hasAccount ? ways : ways.toReversed()).map(({ title, href }, index) => (
        <Button key={title} variant={index === 0 ? 'filled' : 'default'} component={PathLink} href={href} onClick={onLeave}>
          {title}
        </Button>
      ))}
    </div>
  );
}
