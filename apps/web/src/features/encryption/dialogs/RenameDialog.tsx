import { type EncryptedFolder, renameVault } from '@sheaf/contract';
import { useQueryClient } from '@tanstack/react-query';
import { encryptionList } from '#/lib/encryption.ts';
import { send } from '#/lib/http/send.ts';
import { NameDialog } from './NameDialog.tsx';

/** Renames a vault in the list; its folder at the storage keeps its name. */
export function RenameDialog({ folder, onClose }: { folder: EncryptedFolder; onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <NameDialog
      title={`Rename ${folder.name}`}
      sentence="The folder at the storage keeps its name. Sheaf’s server knows this one."
      button="Rename"
      old={folder.name}
      onSave={async (name) => {
        await send(renameVault, { vaultId: folder.folderOid, name });
        await queries.invalidateQueries({ queryKey: encryptionList.queryKey });
      }}
      onClose={onClose}
    />
  );
}
