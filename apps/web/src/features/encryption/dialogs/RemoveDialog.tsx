import { type EncryptedFolder, removeVault } from '@sheaf/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { encryptionList } from '#/lib/encryption.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { useWithProof } from '#/lib/session/proof.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyError } from '#/ui/feedback/notify.ts';
import { lockVault } from '../crypt/state.ts';

/** Removes a vault from the list. Its files stay, but its passphrase no longer opens them. */
export function RemoveDialog({ folder, onClose }: { folder: EncryptedFolder; onClose: () => void }) {
  const queries = useQueryClient();
  const withProof = useWithProof();
  const remove = useMutation({
    mutationFn: () => withProof(() => send(removeVault, { vaultId: folder.folderOid })),
    onSuccess: async () => {
      lockVault(folder.folderOid);
      await queries.invalidateQueries({ queryKey: encryptionList.queryKey });
      onClose();
    },
    onError: (error) => notifyError(`Cannot remove "${folder.name}". ${errorText(error)}`),
  });
  return (
    <ConfirmDialog
      title={`Remove ${folder.name} from the list?`}
      confirm="Remove"
      cancel="Cancel"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Its encrypted files stay where they are. The passphrase opens them no longer: to add the folder again you need its recovery words, or
      its passwords of rclone.
    </ConfirmDialog>
  );
}
