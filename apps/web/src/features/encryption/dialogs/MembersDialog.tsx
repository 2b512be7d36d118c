import { type EncryptedFolder, setVaultForMembers } from '@sheaf/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { encryptionList } from '#/lib/encryption.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyError } from '#/ui/feedback/notify.ts';

/** Allows or forbids members of the Spaces that contain a vault to use it. */
export function MembersDialog({ folder, onClose }: { folder: EncryptedFolder; onClose: () => void }) {
  const { folderOid: vaultId, name, forMembers } = folder;
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () => send(setVaultForMembers, { vaultId, forMembers: !forMembers }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: encryptionList.queryKey });
      onClose();
    },
    onError: (error) => notifyError(`Cannot change who may unlock "${name}". ${errorText(error)}`),
  });
  return (
    <ConfirmDialog
      title={forMembers ? `Close ${name} to members?` : `Open ${name} to members of Spaces?`}
      confirm={forMembers ? 'Close to members' : 'Open to members'}
      cancel="Cancel"
      busy={change.isPending}
      isHarmless={!forMembers}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      {forMembers
        ? 'Members no longer find the vault in their lists. Whoever has unlocked it before may have kept its keys, and can read its files as long as they are a member.'
        : 'If the vault lies in a Space, its members find it in their lists and unlock it with the passphrase, which you tell them yourself. Sheaf gives them the sealed passwords only. A member could try many passphrases, so use a strong one.'}
    </ConfirmDialog>
  );
}
