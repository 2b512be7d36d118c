import { type Weblink, createWeblink, deleteObject, removeWeblink, updateWeblink } from '@sheaf/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { type Payload, send } from '#/lib/http/send.ts';
import { shareList } from '#/lib/sharing/shares.ts';
import { notifyError } from '#/ui/feedback/notify.ts';

/** Reloads the shares after a dialog has changed them. */
export function useReloadShares(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: shareList.queryKey });
}

export const useCreateShare = () => useMutation({ mutationFn: (payload: Payload<typeof createWeblink>) => send(createWeblink, payload) });

export const useUpdateShare = () => useMutation({ mutationFn: (payload: Payload<typeof updateWeblink>) => send(updateWeblink, payload) });

/** Deletes a share; its row disappears once the server confirms. */
export function useRemoveShare() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ weblinkId, sealed, linkUri }: Weblink) => {
      await send(removeWeblink, { webLinkId: weblinkId });
      // What was encrypted for this share is of no use without it.
      if (sealed !== undefined)
        await send(deleteObject, { linkUri }).catch((error: unknown) =>
          notifyError(`It is no longer shared, but what was encrypted for it is still in the vault. ${errorText(error)}`),
        );
    },
    onSuccess: (_, { weblinkId }) => {
      queries.setQueryData(shareList.queryKey, (rows) => rows?.filter((row) => row.weblinkId !== weblinkId));
      return queries.invalidateQueries({ queryKey: [...shareList.queryKey, 'in'] });
    },
    onError: (error, { name }) => notifyError(`Cannot delete ${name}. ${errorText(error)}`),
  });
}
