import { setEncryptionRootView } from '@sheaf/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '#/lib/call-error.ts';
import { encryptionList } from '#/lib/encryption.ts';
import { send } from '#/lib/send.ts';
import { notifyError } from '#/ui/notify.ts';

/** Shows the encryption root among the links, or hides it; what is shown follows at once, and goes back when the server says no. */
export function useRootView() {
  const queries = useQueryClient();
  const { queryKey } = encryptionList;
  const put = (rootView: boolean): void => void queries.setQueryData(queryKey, (known) => known && { ...known, rootView });
  return useMutation({
    mutationFn: (rootView: boolean) => send(setEncryptionRootView, { rootView }),
    onMutate: async (rootView) => {
      await queries.cancelQueries({ queryKey });
      put(rootView);
    },
    onError: (error, rootView) => {
      put(!rootView);
      notifyError(`Cannot change the view. ${messageOf(error)}`);
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}
