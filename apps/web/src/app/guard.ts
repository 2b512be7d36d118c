import type { Route } from '@sheaf/contract';
import { redirect } from '@tanstack/react-router';
import { queryClient } from '#/lib/query-client.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { signInAddress } from '#/lib/session/sign-in-address.ts';

const home = '/account/mysheaf';

/** Admits signed-in users and redirects others to the sign-in page; `here` is the address to return to. "/" is the public start page for visitors. */
export async function guard(route: Route, here: string): Promise<void> {
  if (route.guarded !== true && route.pattern !== '/') return;
  const { session } = await queryClient.ensureQueryData(sessionQuery);
  if (session && route.pattern === '/') throw redirect({ href: home, replace: true });
  if (!session && route.pattern === home) throw redirect({ href: '/', replace: true });
  if (!session && route.guarded === true) throw redirect({ href: signInAddress(here), replace: true });
}
