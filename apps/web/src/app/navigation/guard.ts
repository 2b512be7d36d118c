import type { Route } from '@sheaf/contract';
import { queryClient } from '#/lib/query-client.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { signInAddress } from '#/lib/session/sign-in-address.ts';

const home = '/account/mysheaf';

/**
 * The address to show instead of a route: users who are not signed in go to the sign-in page, which returns them to `here`. "/" is the public start page
 * for visitors, and the bare address of home means no more than that; one that names a part of home returns there. Rejects with CallError when the session cannot be asked for.
 */
export async function detour(route: Route, here: string): Promise<string | undefined> {
  if (route.guarded !== true && route.pattern !== '/') return undefined;
  const { session } = await queryClient.ensureQueryData(sessionQuery);
  if (session) return route.pattern === '/' ? home : undefined;
  if (route.pattern === home && !/[?#]/.test(here)) return '/';
  return route.guarded === true ? signInAddress(here) : undefined;
}
