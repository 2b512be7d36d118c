import { useQuery } from '@tanstack/react-query';
import { late } from '#/lib/late.tsx';
import { useHere, useQueryParams } from '#/lib/navigation/location.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { useGo } from '#/ui/PathLink.tsx';

const AuthError = late(() => import('./AuthPopovers.tsx').then((loaded) => loaded.AuthError), null, 'overlay');
const SignUp = late(() => import('./AuthPopovers.tsx').then((loaded) => loaded.SignUp), null, 'overlay');

/** Popovers opened by the address's query on any page: the invitation to sign up, and errors of sign-in and sign-up. */
export function QueryPopovers() {
  const { authError, ...query } = useQueryParams();
  const known = useQuery(sessionQuery).data;
  const go = useGo();
  const here = useHere();
  if (authError === 'userNotFound' || authError === 'extraSignup') {
    return (
      <AuthError
        kind={authError}
        here={without(here, 'authError')}
        onClose={() => go(without(here, 'authError') + location.hash, { replace: true })}
      />
    );
  }
  if (known && !known.session && query['links'] !== undefined) {
    return <SignUp returnTo={without(here, 'links')} onClose={() => go(without(here, 'links') + location.hash, { replace: true })} />;
  }
  return null;
}

function without(here: string, name: string): string {
  const url = new URL(here, location.origin);
  url.searchParams.delete(name);
  return url.pathname + url.search;
}
