import { type FlowOrigin, type SignInWay, signInAddress as addressOf } from '@sheaf/contract';
import { withQuery } from '#/lib/http/form-body.ts';

export type { FlowOrigin } from '@sheaf/contract';

type More = { readonly flowOrigin?: FlowOrigin; readonly provider?: SignInWay['provider']; readonly cancelUrl?: string };

/** The sign-in page, which leads back to `returnTo` (a path of this site) when done and, unless told otherwise, when cancelled. */
export function signInAddress(returnTo: string, { flowOrigin = originOf(returnTo), cancelUrl = returnTo, provider }: More = {}): string {
  return addressOf({ redirectUrl: returnTo, cancelUrl, flowOrigin, provider });
}

/** The sign-in page for whoever asks for it on a page for visitors: it ends where the specification says, and from there leads on. */
export function visitorSignInAddress(here: string, flowOrigin: FlowOrigin, provider?: SignInWay['provider']): string {
  return addressOf({ cancelUrl: here, flowOrigin, provider });
}

/** The sign-in page for whoever's session ended on the page `here`. Shares and spaces come back to addresses of their own. */
export function endedSessionAddress(here: string): string {
  const flowOrigin = originOf(here);
  if (flowOrigin === 'shared') return addressOf({ redirectUrl: '/shared', cancelUrl: here, flowOrigin });
  if (flowOrigin === 'spaces' && here.startsWith('/account/mysheaf'))
    return addressOf({ redirectUrl: '/account/mysheaf?catid=spaces&createDialog=true', cancelUrl: here, flowOrigin });
  return signInAddress(here);
}

/** The page that opens an account and then leads to `returnTo`; an address that is known, as from an invitation, is filled in. */
export function signUpAddress(returnTo: string, email?: string): string {
  return withQuery('/signup/start', { redirectUrl: returnTo, cancelUrl: returnTo, email });
}

function originOf(path: string): FlowOrigin {
  const { pathname, searchParams } = new URL(path, 'http://here.invalid');
  const [first = ''] = pathname.slice(1).split('/');
  if (first === 'shared' || first === 'sharelink') return 'shared';
  if (searchParams.get('catid') === 'spaces' || pathname === '/invitation/space') return 'spaces';
  if (first === 'getfolder') return 'picker';
  if (first === 'links') return 'links';
  if (first === 'org' || first === 'browseorg' || pathname === '/invitation/org') return 'org';
  return first === 'account' ? 'account' : 'page';
}
