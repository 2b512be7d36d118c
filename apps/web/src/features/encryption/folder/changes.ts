import { addFolder, deleteObject, renameObject } from '@sheaf/contract';
import { newFolderId } from '@sheaf/vault';
import { itemCount } from '#/lib/format.ts';
import { errorText, WordedError } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { inParallel } from '#/lib/in-parallel.ts';
import { newUndoId, remember, undo } from '#/lib/undoing.ts';
import { notifyDone, notifyError, notifyUndo } from '#/ui/feedback/notify.ts';
import { askWorker } from '../crypt/client.ts';
import { touchVault } from '../crypt/state.ts';
import type { ClearFolder, ClearItem } from './listing.ts';
import type { Place } from './own-parts.ts';
import { type Change, record } from './record.ts';

/** Number of concurrent deletions. */
const atOnce = 4;

/** Encrypts a name. Rejects with a WordedError for a name that rclone would show differently. */
export async function sealedName(vaultId: string, name: string, isFolder: boolean): Promise<string> {
  const sealed = await askWorker('sealName', { vaultId, name, isFolder });
  if (sealed === undefined || name.includes('/'))
    throw new WordedError(`"${name}" cannot be a name in a vault. Please choose another one.`);
  return sealed;
}

/** Changes the contents of a folder of an open vault; only encrypted names are sent. */
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
    /** Deletes items together: one undo restores all of them, with their records. */
    async remove(items: readonly ClearItem[]): Promise<void> {
      touchVault(vaultId);
      const undoId = newUndoId();
      const removed: ClearItem[] = [];
      let undoable = 0;
      await inParallel(items, atOnce, async (one) => {
        try {
          const answer = await send(deleteObject, { linkUri: one.item.linkUri, undoId });
          removed.push(one);
          if (answer.undoId !== undefined) undoable += 1;
        } catch (error) {
          notifyError(`Cannot delete "${one.name}". ${errorText(error)}`);
        }
      });
      onDone();
      if (removed.length === 0) return;
      const back = removed.flatMap(({ name }) => recordOf(folder, name));
      record(
        place,
        removed.map(({ name }) => ({ name })),
      );
      const message = `Deleted ${removed.length === 1 ? `“${removed[0]?.name ?? ''}”` : itemCount(removed.length)}`;
      if (undoable === 0) return notifyDone(message);
      const onUndone = (): void => {
        record(place, back);
        onDone();
      };
      remember({ undoId, onUndone });
      notifyUndo(message, () => void undo({ done: notifyDone, failed: notifyError }, undoId));
    },
  };
}

/** Returns the record of an item under a new name; nothing for an item without a record. */
export function recordOf(folder: ClearFolder | undefined, old: string, name = old): Change[] {
  const file = folder?.manifest.files.get(old);
  const id = folder?.manifest.folders.get(old);
  if (file) return [{ name, nonce: file.nonce, size: file.size }];
  return id === undefined ? [] : [{ name, folder: id }];
}
