import { listOperatedProviders, testProvider } from '@sheaf/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

/** The operator's view of the providers. */
export const operatedProviders = () =>
  queryOptions({ queryKey: ['operated-providers'], queryFn: ({ signal }) => send(listOperatedProviders, {}, signal) });

/** Tests whether a provider knows the application. */
export const useTestProvider = () => useMutation({ mutationFn: (provider: string) => send(testProvider, { provider }) });
