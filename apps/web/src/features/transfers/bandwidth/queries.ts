import { setTransferBandwidth, transferBandwidth } from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Payload, send } from '#/lib/http/send.ts';

const queryKey = ['transfer bandwidth'];

/** Limits of the account's transfers by the hours of the week. */
export const bandwidthQuery = queryOptions({ queryKey, queryFn: ({ signal }) => send(transferBandwidth, {}, signal) });

/** Stores other limits. */
export function useSetBandwidth() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (bandwidth: Payload<typeof setTransferBandwidth>) => send(setTransferBandwidth, bandwidth),
    onSuccess: (bandwidth) => client.setQueryData(queryKey, bandwidth),
  });
}
