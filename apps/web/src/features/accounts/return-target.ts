import { safePath } from '@sheaf/contract';

const home = '/account/mysheaf';

/** Where to go after signing in: a path of this site, never back to a page of the sign-in itself. */
export function targetAfterSignIn(redirectUrl: string | undefined): string {
  const target = safePath(redirectUrl, home);
  return /^\/(?:login|signup|auth|logout)(?:\/|\?|$)/.test(target) || target === '/' ? home : target;
}
