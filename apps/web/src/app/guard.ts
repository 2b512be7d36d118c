import type { Route } from '@sheaf/contract';
import { redirect } from '@tanstack/react-router';
import { queryClient } from '#/lib/query-client.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { signInAddress } from '#/lib/session/sign-in-address.ts';

const home = '/account/mysheaf';

/**
 * Lets the signed-in user in and leads everybody else to the sign-in page; `here` is where to come back to.
 * "/" is the public start page, and the home of nobody who is signed in.
 */
export async function guard(route: Route, here: string): Promise<void> {
  if (route.guarded !== true && route.pattern !== '/') return;
  const { session } = await queryClient.ensureQueryData(sessionQuery);
  if (session && route.pattern === '/') throw redirect({ href: home, replace: true });
  if (!session && route.pattern === home) throw redirect({ href: '/', replace: true });
  if (!session && route.guarded === true) throw redirect({ href: signInAddress(here), replace: true });
}
