import { type Contact, type Session, sessionInfo } from '@sheaf/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';
import { queryClient } from '#/lib/query-client.ts';

/** Who is signed in, the menu that goes with it, and which sign-in providers the operator has set up. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => send(sessionInfo, {}, signal),
  staleTime: 60_000,
});

/** The signed-in user's session, or undefined (signed out, or not known yet). */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data?.session;
}

/** Where this installation's users get help; empty where its operator has set nothing. */
export const useContact = (): Contact => useQuery(sessionQuery).data?.contact ?? {};

/** Asks anew who is signed in; menu and guarded pages follow. */
export const refreshSession = (): Promise<void> => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
