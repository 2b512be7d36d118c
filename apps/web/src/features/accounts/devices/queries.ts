import { confirmDevice, lookAtDevice, refuseDevice } from '@sheaf/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { appPasswordList } from '#/features/accounts/programs/queries.ts';
import { authCodeList } from '#/features/accounts/security/auth-code-queries.ts';
import { send } from '#/lib/http/send.ts';
import { useWithProof } from '#/lib/session/proof.ts';

/** Finds the program that shows a code. */
export const useLookAtDevice = () => useMutation({ mutationFn: (userCode: string) => send(lookAtDevice, { userCode }), gcTime: 0 });

export function useConfirmDevice() {
  const queries = useQueryClient();
  const withProof = useWithProof();
  return useMutation({
    mutationFn: (userCode: string) => withProof(() => send(confirmDevice, { userCode })),
    // The program fetches what it gets a few seconds later.
    onSuccess: () =>
      Promise.all([authCodeList.queryKey, appPasswordList.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
export const useRefuseDevice = () => useMutation({ mutationFn: (userCode: string) => send(refuseDevice, { userCode }) });
