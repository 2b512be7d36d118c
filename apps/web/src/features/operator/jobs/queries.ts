import { type JobList, cancelJob, listJobs, retryJob } from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

const key = 'operated-jobs';

/** Background jobs of one list, with the counts of all three. */
export const jobsOf = (list: JobList) =>
  queryOptions({ queryKey: [key, list], queryFn: ({ signal }) => send(listJobs, { list }, signal), refetchInterval: 5000 });

interface Ref {
  readonly scope: string;
  readonly jobId: string;
}

function useChange<Reply>(change: (job: Ref) => Promise<Reply>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => client.invalidateQueries({ queryKey: [key] }) });
}

/** Runs a waiting or failed job now. */
export const useRetryJob = () => useChange((job) => send(retryJob, job));
/** Gives a job up. */
export const useCancelJob = () => useChange((job) => send(cancelJob, job));
