import { afterSignIn, matchRoute, safePath } from '@sheaf/contract';

const home = '/account/mysheaf';

/**
 * Where to go after signing in: a path of this site, never back to a page of the sign-in itself. Where the address asks for the usual end,
 * that is the page on which signing in was begun.
 */
export function targetAfterSignIn(redirectUrl: string | undefined, cancelUrl?: string): string {
  const target = safePath(redirectUrl, home);
  if (target === afterSignIn && cancelUrl !== undefined) return targetAfterSignIn(cancelUrl);
  return /^\/(?:login|signup|auth|logout)(?:\/|\?|$)/.test(target) || target === '/' ? home : target;
}

/** Where to go instead of signing in: back to where that was begun, or to the start page when nobody may see it without a session. */
export function targetAfterCancel(cancelUrl: string | undefined): string {
  const target = safePath(cancelUrl, '/');
  const route = matchRoute(new URL(target, 'http://here.invalid').pathname)?.route;
  return route === undefined || route.guarded === true || route.fullScreen === true ? '/' : target;
}
