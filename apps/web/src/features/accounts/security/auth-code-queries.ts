import { createAuthCode, listAuthCodes, revokeAuthCode } from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';
import { useWithProof } from '#/lib/session/proof.ts';

export const authCodeList = queryOptions({ queryKey: ['auth-codes'], queryFn: ({ signal }) => send(listAuthCodes, {}, signal) });

/** Creates a code; it can be shown only from this result. */
export function useCreateAuthCode() {
  const queries = useQueryClient();
  const withProof = useWithProof();
  return useMutation({
    mutationFn: (name: string) => withProof(() => send(createAuthCode, { name })),
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: authCodeList.queryKey }),
  });
}

export function useRevokeAuthCode() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (authCodeId: string) => send(revokeAuthCode, { authCodeId }),
    onSettled: () => queries.invalidateQueries({ queryKey: authCodeList.queryKey }),
  });
}
