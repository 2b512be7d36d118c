import { setEncryptionRootView } from '@sheaf/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { encryptionList } from '#/lib/encryption.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { notifyError } from '#/ui/feedback/notify.ts';

/** Shows or hides the encryption root among the links, optimistically; reverts if the server refuses. */
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
      notifyError(`Cannot change the view. ${errorText(error)}`);
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}
