import { type FlowOrigin, type SignInWay, signInAddress as addressOf } from '@sheaf/contract';
import { withQuery } from '#/lib/http/form-body.ts';

export type { FlowOrigin } from '@sheaf/contract';

type More = { readonly flowOrigin?: FlowOrigin; readonly provider?: SignInWay['provider']; readonly cancelUrl?: string };

/** The sign-in page, which returns to `returnTo` (a path of this site) after success and by default after cancelling. */
export function signInAddress(returnTo: string, { flowOrigin = originOf(returnTo), cancelUrl = returnTo, provider }: More = {}): string {
  return addressOf({ redirectUrl: returnTo, cancelUrl, flowOrigin, provider });
}

/** The sign-in page for a visitor: it ends at the page of the specification, which leads on. */
export function visitorSignInAddress(here: string, flowOrigin: FlowOrigin, provider?: SignInWay['provider']): string {
  return addressOf({ cancelUrl: here, flowOrigin, provider });
}

/** The sign-in page after the session ended on the page `here`. Shares and Spaces return to their own addresses. */
export function endedSessionAddress(here: string): string {
  const flowOrigin = originOf(here);
  if (flowOrigin === 'shared') return addressOf({ redirectUrl: '/shared', cancelUrl: here, flowOrigin });
  if (flowOrigin === 'spaces' && here.startsWith('/account/mysheaf'))
    return addressOf({ redirectUrl: '/account/mysheaf?catid=spaces&createDialog=true', cancelUrl: here, flowOrigin });
  return signInAddress(here);
}

/** The sign-up page, which then leads to `returnTo`; fills in a known address, as from an invitation. */
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
