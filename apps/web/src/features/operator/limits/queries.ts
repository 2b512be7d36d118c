import { type Limits, findLimitable, setLimits, showLimits } from '@sheaf/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

const key = 'operated-limits';

/** The limits of everyone, and of accounts with rules of their own. */
export const limitRules = () => queryOptions({ queryKey: [key], queryFn: ({ signal }) => send(showLimits, {}, signal) });

/** People and organisations whose name or address contains the text. */
export const limitable = (query: string) =>
  queryOptions({
    queryKey: [key, 'search', query],
    queryFn: ({ signal }) => send(findLimitable, { query }, signal),
    placeholderData: keepPreviousData,
  });

/** Replaces the limits of an account, or without one everyone's. */
export function useSetLimits() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ accountId, limits }: { accountId?: string | undefined; limits: Limits }) =>
      send(setLimits, { ...(accountId !== undefined && { accountId }), ...limits }),
    onSettled: () => client.invalidateQueries({ queryKey: [key] }),
  });
}
