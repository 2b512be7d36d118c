import { afterSignIn, matchRoute, safePath } from '@sheaf/contract';

const home = '/account/mysheaf';

/** Where to go after sign-in: a path of this site, never a page of the sign-in itself. For the default target, the page where the sign-in started. */
export function targetAfterSignIn(redirectUrl: string | undefined, cancelUrl?: string): string {
  const target = safePath(redirectUrl, home);
  if (target === afterSignIn && cancelUrl !== undefined) return targetAfterSignIn(cancelUrl);
  return /^\/(?:login|signup|auth|logout)(?:\/|\?|$)/.test(target) || target === '/' ? home : target;
}

/** Where to go after a cancelled sign-in: back to where it started, or to the start page when that needs a session. */
export function targetAfterCancel(cancelUrl: string | undefined): string {
  const target = safePath(cancelUrl, '/');
  const route = matchRoute(new URL(target, 'http://here.invalid').pathname)?.route;
  return route === undefined || route.guarded === true || route.fullScreen === true ? '/' : target;
}
