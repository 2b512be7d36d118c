import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useHere, useQueryParams } from '#/lib/location.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { visitorSignInAddress } from '#/lib/session/sign-in-address.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import classes from './QueryPopovers.module.css';

const providers = [
  { title: 'Google', provider: 'google' },
  { title: 'Microsoft', provider: 'microsoft' },
  { title: 'Email', provider: 'email' },
] as const;

/** Popovers opened by the address's query on any page: the invitation to sign up, and errors of sign-in and sign-up. */
export function QueryPopovers() {
  const { authError, ...query } = useQueryParams();
  const known = useQuery(sessionQuery).data;
  const go = useGo();
  const here = useHere();
  if (authError === 'userNotFound' || authError === 'extraSignup') {
    return <AuthError kind={authError} here={here} onClose={() => go(without(here, 'authError') + location.hash, { replace: true })} />;
  }
  if (known && !known.session && query['links'] !== undefined) {
    return <SignUp returnTo={without(here, 'links')} onClose={() => go(without(here, 'links') + location.hash, { replace: true })} />;
  }
  return null;
}

function SignUp({ returnTo, onClose }: { returnTo: string; onClose: () => void }) {
  const setUp = useQuery(sessionQuery).data?.signIn;
  return (
    <Dialog title="You’re almost done..." sentence="Sign up to download Sheaf for free" onClose={onClose}>
      <div className={classes.ways}>
        {providers
          .filter(({ provider }) => provider === 'email' || setUp?.[provider] === true)
          .map(({ title, provider }) => (
            <Button key={provider} size="lg" component={PathLink} href={visitorSignInAddress(returnTo, 'signuppopover', provider)}>
              {title}
            </Button>
          ))}
        <p className={classes.private}>All your stuff is private.</p>
      </div>
    </Dialog>
  );
}

function AuthError({ kind, here, onClose }: { kind: 'userNotFound' | 'extraSignup'; here: string; onClose: () => void }) {
  const isNotFound = kind === 'userNotFound';
  return (
    <Dialog title={isNotFound ? "Sorry, this account doesn't exist!" : 'You already have an account!'} onClose={onClose}>
      <div className={classes.ways}>
        {isNotFound ? (
          <PathLink className={classes.link} href={withLinks(without(here, 'authError'))} replace>
            Click here to link your apps and sign up.
          </PathLink>
        ) : (
          <PathLink className={classes.link} href="/account/mysheaf">
            Go to my Sheaf.
          </PathLink>
        )}
      </div>
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
      </DialogButtons>
    </Dialog>
  );
}

function without(here: string, name: string): string {
  const url = new URL(here, location.origin);
  url.searchParams.delete(name);
  return url.pathname + url.search;
}

const withLinks = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}links`;
