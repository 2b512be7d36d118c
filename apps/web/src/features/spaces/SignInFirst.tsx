import { Button } from '@mantine/core';
import { withQuery } from '#/lib/form-body.ts';
import { signInAddress } from '#/lib/sign-in-address.ts';
import { gateForm } from '#/ui/Gate.tsx';
import { Notice } from '#/ui/Notice.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { useOtherAccount } from './queries.ts';

type Props = {
  hasAccount: boolean;
  /** Somebody else is signed in. */
  isSignedIn: boolean;
  /** Where to come back to. */
  path: string;
  /** Called before the page is left. */
  onLeave: () => void;
};

/** The ways to sign in for an invitation; its token does not go with them. */
export function SignInFirst({ hasAccount, isSignedIn, path, onLeave }: Props) {
  const other = useOtherAccount();
  const go = useGo();
  const signIn = signInAddress(path, { flowOrigin: 'spaces' });
  if (isSignedIn) {
    return (
      <div className={gateForm}>
        {other.error && <Notice kind="error">{other.error.message}</Notice>}
        <Button
          variant="filled"
          loading={other.isPending}
          onClick={() => {
            onLeave();
            other.mutate(undefined, { onSuccess: () => go(signIn) });
          }}
        >
          Sign in with another account
        </Button>
      </div>
    );
  }
  return (
    <div className={gateForm}>
      <Button variant={hasAccount ? 'filled' : 'default'} component={PathLink} href={signIn} onClick={onLeave}>
        Sign in
      </Button>
      <Button
        variant={hasAccount ? 'default' : 'filled'}
        component={PathLink}
        href={withQuery('/signup/start', { redirectUrl: path, cancelUrl: path })}
        onClick={onLeave}
      >
        Sign up
      </Button>
    </div>
  );
}
