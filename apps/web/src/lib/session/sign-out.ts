import { logout } from '@sheaf/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isSignedOut } from '#/lib/http/call-error.ts';
import { send } from '#/lib/http/send.ts';
import { tellTabs } from './other-tabs.ts';
import { sessionQuery } from './session.ts';

/** Ends the session, here and for every other tab; what was shown is forgotten. It is no error when the session has ended already. */
export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await send(logout, {});
      } catch (error) {
        // The server says the same of a wrong rTag, with which the session lives on.
        if (!isSignedOut(error) || (await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })).session) throw error;
      }
    },
    onSuccess: async () => {
      queries.clear();
      tellTabs('signedOut');
      await queries.fetchQuery(sessionQuery);
    },
  });
}
