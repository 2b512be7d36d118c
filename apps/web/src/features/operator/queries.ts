import { listOperatedProviders, testProvider } from '@sheaf/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { send } from '#/lib/send.ts';

/** What the operator of this installation sees of the providers. */
export const operatedProviders = () =>
  queryOptions({ queryKey: ['operated-providers'], queryFn: ({ signal }) => send(listOperatedProviders, {}, signal) });

/** Asks a provider whether it knows the application. */
export const useTestProvider = () => useMutation({ mutationFn: (provider: string) => send(testProvider, { provider }) });
