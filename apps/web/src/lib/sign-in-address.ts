import { withQuery } from './form-body.ts';

/** Where sign-in was begun; the server ignores others. */
export type FlowOrigin = 'menubar' | 'signuppopover' | 'shared' | 'spaces' | 'picker';

/** The sign-in page, which leads back to `returnTo` (a path of this site) when done or cancelled. */
export function signInAddress(returnTo: string, more: { readonly flowOrigin?: FlowOrigin; readonly provider?: string } = {}): string {
  return withQuery('/login/start', { redirectUrl: returnTo, cancelUrl: returnTo, ...more });
}
