import { listFailingJobs, listOperatedProviders, retryJob, testProvider } from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

/** The operator's view of the providers. */
export const operatedProviders = () =>
  queryOptions({ queryKey: ['operated-providers'], queryFn: ({ signal }) => send(listOperatedProviders, {}, signal) });

/** Tests whether a provider knows the application. */
export const useTestProvider = () => useMutation({ mutationFn: (provider: string) => send(testProvider, { provider }) });

/** Background jobs whose last attempt failed. */
export const failingJobs = () =>
  queryOptions({ queryKey: ['failing-jobs'], queryFn: ({ signal }) => send(listFailingJobs, {}, signal), refetchInterval: 10_000 });

/** Runs a failing job now. */
export function useRetryJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (job: { scope: string; jobId: string }) => send(retryJob, job),
    onSettled: () => client.invalidateQueries({ queryKey: failingJobs().queryKey }),
  });
}
