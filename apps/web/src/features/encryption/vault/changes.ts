import { addFolder, deleteObject, renameObject } from '@sheaf/contract';
import { errorText, WordedError } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { askWorker } from '../crypt/client.ts';
import { touchVault } from '../crypt/state.ts';
import type { ClearItem } from './listing.ts';

/** The name that the storage sees. Rejects with a WordedError for a name that rclone would show as another. */
export async function sealedName(vaultId: string, name: string, isFolder: boolean): Promise<string> {
  const sealed = await askWorker('sealName', { vaultId, name, isFolder });
  if (sealed === undefined || name.includes('/'))
    throw new WordedError(`"${name}" cannot be a name in a vault. Please choose another one.`);
  return sealed;
}

/** Changes in a folder of an open vault; only encrypted names are sent. */
export function useVaultChanges(vaultId: string, linkUri: string, onDone: () => void) {
  return {
    async addFolder(name: string): Promise<void> {
      await send(addFolder, { parentLinkUri: linkUri, folderName: await sealedName(vaultId, name, true), conflict: 'fail' });
      onDone();
    },
    async rename({ item, isFolder }: ClearItem, name: string): Promise<void> {
      await send(renameObject, { linkUri: item.linkUri, newName: await sealedName(vaultId, name, isFolder) });
      onDone();
    },
    remove({ item, name }: ClearItem): void {
      touchVault(vaultId);
      void send(deleteObject, { linkUri: item.linkUri }).then(
        () => {
          notifyDone(`"${name}" was deleted.`);
          onDone();
        },
        (error: unknown) => {
          notifyError(`Cannot delete "${name}". ${errorText(error)}`);
          onDone();
        },
      );
    },
  };
}
