import { logout } from '@sheaf/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isSignedOut } from '#/lib/http/call-error.ts';
import { send } from '#/lib/http/send.ts';
import { forgetTransfers } from '#/lib/transfers/page-clipboard.ts';
import { forgetInterrupted } from '#/lib/uploads/kept/interrupted.ts';
import { tellTabs } from './other-tabs.ts';
import { sessionQuery } from './session.ts';

/**
 * Ends the session in all tabs and clears cached data, in memory and in the browser's storage. Not an error when the session has already
 * ended. Gives the address at which the browser also ends its session at the sign-in provider, where there is one.
 */
export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<string | undefined> => {
      try {
        return (await send(logout, {})).url;
      } catch (error) {
        // The server answers a wrong rTag in the same way, with which the session goes on.
        if (!isSignedOut(error) || (await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })).session) throw error;
        return undefined;
      }
    },
    onSuccess: async () => {
      queries.clear();
      forgetTransfers();
      forgetInterrupted();
      tellTabs('signedOut');
      await queries.fetchQuery(sessionQuery);
    },
  });
}
