import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isFault, isSignedOut } from './http/call-error.ts';
import { endedSessionAddress } from './session/sign-in-address.ts';

/** If a call failed for lack of a session, goes to the sign-in page, which returns here. */
export function leaveWhenSignedOut(error: unknown): void {
  if (isSignedOut(error)) location.assign(endedSessionAddress(location.pathname + location.search));
}

/** Milliseconds between two tries to reach a server that did not answer. */
export const recoveryPause = 2500;

/** Cache of all server data. A refusal is final; a network fault is retried once. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Shows offline as an error instead of pausing silently.
      networkMode: 'always',
      refetchOnReconnect: true,
      // Recovers without a click once the network or the server is back.
      refetchInterval: ({ state }) => (isFault(state.error) ? recoveryPause : false),
      retry: (failures, error) => failures < 1 && isFault(error),
    },
    mutations: { networkMode: 'always' },
  },
});
