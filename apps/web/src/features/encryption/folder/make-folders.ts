import { addFolder, childUri } from '@sheaf/contract';
import { newFolderId } from '@sheaf/vault';
import { CallError } from '#/lib/http/call-error.ts';
import { send } from '#/lib/http/send.ts';
import { sealedName } from './changes.ts';
import type { Place } from './own-parts.ts';
import { record } from './record.ts';

/** Finds or creates folders below a place by their clear names, each once. */
export function makeFolders(start: Place) {
  const made = new Map<string, Promise<Place>>([['', Promise.resolve(start)]]);
  return function placeOf(path: readonly string[]): Promise<Place> {
    const key = path.join('/');
    const known = made.get(key);
    if (known) return known;
    const making = placeOf(path.slice(0, -1))
      .then((parent) => ensureFolder(parent, path.at(-1) ?? ''))
      .catch((error: unknown) => {
        // Forgets the failure, so that a retry creates the folder.
        made.delete(key);
        throw error;
      });
    made.set(key, making);
    return making;
  };
}

async function ensureFolder(parent: Place, name: string): Promise<Place> {
  const folderName = await sealedName(parent.vaultId, name, true);
  try {
    const { linkUri } = await send(addFolder, { parentLinkUri: parent.linkUri, folderName, conflict: 'fail' });
    record(parent, [{ name, folder: newFolderId() }]);
    return { ...parent, linkUri };
  } catch (error) {
    if (error instanceof CallError && error.is('NAME_TAKEN')) return { ...parent, linkUri: childUri(parent.linkUri, folderName) };
    throw error;
  }
}
