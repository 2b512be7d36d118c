import { getNotices, setNotices } from '@sheaf/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Switch } from '#/ui/Switch.tsx';

const chosenNotices = queryOptions({ queryKey: ['notices'], queryFn: ({ signal }) => send(getNotices, {}, signal) });

/** Applies a choice optimistically and reverts it when it could not be stored. */
function useChooseNotices() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (links: boolean) => send(setNotices, { links }),
    onMutate: async (links) => {
      await queries.cancelQueries(chosenNotices);
      queries.setQueryData(chosenNotices.queryKey, { links });
    },
    onError: (error) => notifyError(`Cannot change this. ${errorText(error)}`),
    onSettled: () => queries.invalidateQueries(chosenNotices),
  });
}

/** Whether the account gets mails about failing links. */
export function LinkNotices() {
  const { data, error, refetch } = useQuery(chosenNotices);
  const choose = useChooseNotices();
  if (error) return <ErrorState title="The choice could not be shown" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={1} height={28} />;
  return (
    <Switch label="Tell me when a link has needed attention for an hour" checked={data.links} onChange={(links) => choose.mutate(links)} />
  );
}
