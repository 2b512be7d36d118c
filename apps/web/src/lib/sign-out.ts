import { logout } from '@sheaf/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { tellTabs } from './other-tabs.ts';
import { send } from './send.ts';
import { sessionQuery } from './session.ts';

/** Ends the session, here and for every other tab; what was shown is forgotten. */
export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(logout, {}),
    onSuccess: async () => {
      queries.clear();
      tellTabs('signedOut');
      await queries.fetchQuery(sessionQuery);
    },
  });
}
