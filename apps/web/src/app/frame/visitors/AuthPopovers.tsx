import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '#/lib/session/session.ts';
import { visitorSignInAddress } from '#/lib/session/sign-in-address.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from './QueryPopovers.module.css';

const providers = [
  { title: 'Google', provider: 'google' },
  { title: 'Microsoft', provider: 'microsoft' },
  { title: 'Email', provider: 'email' },
] as const;

/** The invitation to sign up. */
export function SignUp({ returnTo, onClose }: { returnTo: string; onClose: () => void }) {
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

/** What went wrong with signing in or up. */
export function AuthError({ kind, here, onClose }: { kind: 'userNotFound' | 'extraSignup'; here: string; onClose: () => void }) {
  const isNotFound = kind === 'userNotFound';
  return (
    <Dialog title={isNotFound ? "Sorry, this account doesn't exist!" : 'You already have an account!'} onClose={onClose}>
      <div className={classes.ways}>
        {isNotFound ? (
          <PathLink className={classes.link} href={withLinks(here)} replace>
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

const withLinks = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}links`;
