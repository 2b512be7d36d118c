import { type Contact, type Session, sessionInfo } from '@sheaf/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';
import { queryClient } from '#/lib/query-client.ts';

/** The session, its menu, and the configured sign-in providers. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => send(sessionInfo, {}, signal),
  staleTime: 60_000,
});

/** The signed-in user's session, or undefined (signed out, or not known yet). */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data?.session;
}

/** Contact for help; empty if the operator has configured none. */
export const useContact = (): Contact => useQuery(sessionQuery).data?.contact ?? {};

/** Reloads the session; menu and guarded pages follow. */
export const refreshSession = (): Promise<void> => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
