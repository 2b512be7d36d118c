import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isFault, isSignedOut } from './http/call-error.ts';
import { endedSessionAddress } from './session/sign-in-address.ts';

/** Leads to the sign-in page, and back here afterwards, when that is why a call failed. */
export function leaveWhenSignedOut(error: unknown): void {
  if (isSignedOut(error)) location.assign(endedSessionAddress(location.pathname + location.search));
}

/** Milliseconds between two tries to reach a server that did not answer. */
export const recoveryPause = 2500;

/** The store of everything asked from the server. An answer that says no is final; a fault on the way is tried once more. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Offline is shown as what it is instead of waiting without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
      // Nobody has to press anything once the network or the server is back.
      refetchInterval: ({ state }) => (isFault(state.error) ? recoveryPause : false),
      retry: (failures, error) => failures < 1 && isFault(error),
    },
    mutations: { networkMode: 'always' },
  },
});
