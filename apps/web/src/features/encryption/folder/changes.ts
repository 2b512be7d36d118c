import { addFolder, deleteObject, renameObject } from '@sheaf/contract';
import { newFolderId } from '@sheaf/vault';
import { errorText, WordedError } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { askWorker } from '../crypt/client.ts';
import { touchVault } from '../crypt/state.ts';
import type { ClearFolder, ClearItem } from './listing.ts';
import type { Place } from './own-parts.ts';
import { type Change, record } from './record.ts';

/** The name that the storage sees. Rejects with a WordedError for a name that rclone would show as another. */
export async function sealedName(vaultId: string, name: string, isFolder: boolean): Promise<string> {
  const sealed = await askWorker('sealName', { vaultId, name, isFolder });
  if (sealed === undefined || name.includes('/'))
    throw new WordedError(`"${name}" cannot be a name in a vault. Please choose another one.`);
  return sealed;
}

/** Changes in a folder of an open vault; only encrypted names are sent. */
export function useVaultChanges(place: Place, folder: ClearFolder | undefined, onDone: () => void) {
  const { vaultId, linkUri } = place;
  return {
    async addFolder(name: string): Promise<void> {
      await send(addFolder, { parentLinkUri: linkUri, folderName: await sealedName(vaultId, name, true), conflict: 'fail' });
      record(place, [{ name, folder: newFolderId() }]);
      onDone();
    },
    async rename({ item, name: old, isFolder }: ClearItem, name: string): Promise<void> {
      await send(renameObject, { linkUri: item.linkUri, newName: await sealedName(vaultId, name, isFolder) });
      record(place, [{ name: old }, ...recordOf(folder, old, name)]);
      onDone();
    },
    remove({ item, name }: ClearItem): void {
      touchVault(vaultId);
      void send(deleteObject, { linkUri: item.linkUri }).then(
        () => {
          record(place, [{ name }]);
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

/** What is recorded of an item, under another name; nothing for one that is not recorded. */
export function recordOf(folder: ClearFolder | undefined, old: string, name = old): Change[] {
  const file = folder?.manifest.files.get(old);
  const id = folder?.manifest.folders.get(old);
  if (file) return [{ name, nonce: file.nonce, size: file.size }];
  return id === undefined ? [] : [{ name, folder: id }];
}
