import { nameOf, parentOf } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';
import type { StoredFolder } from './rows/folder-rows.ts';
import type { ListingStore } from './rows/store.ts';

interface Deps {
  readonly store: Pick<ListingStore, 'findFolder' | 'hasLike'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Milliseconds for which a listing tells what is not there, and from which on it is refreshed for the next question. */
const trustedFor = 10_000;
const refreshedAfter = 4000;
/** Milliseconds after which nobody seems to work in the folder any more, and the most entries of a folder that is listed for such questions. */
const idleAfter = 60_000;
const mostEntries = 5000;
/** Milliseconds for which a stored file is remembered, as some storages list it later; and how many are. */
const rememberedFor = 60_000;
const mostRemembered = 20_000;

/**
 * Tells from the stored listing that a name is free. Programs look for each file before they write it, and a storage whose folders are prefixes of keys
 * takes several requests to answer that nothing is there. Changes by Sheaf are in the listing at once, others after ten seconds.
 */
export function createFreeNames({ store, now }: Deps) {
  const stored = new Map<string, number>();
  const keyOf = (linkId: string, path: string): string => `${linkId} ${path}`;
  function noteStored(linkId: string, path: string): void {
    const key = keyOf(linkId, path);
    // A map keeps the order in which keys were added: the first is the oldest.
    stored.delete(key);
    const [oldest] = stored.keys();
    if (stored.size >= mostRemembered && oldest !== undefined) stored.delete(oldest);
    stored.set(key, now() + rememberedFor);
  }
  return {
    /** Call with each item that Sheaf has stored. */
    noteStored,
    /** Call with each item that Sheaf has deleted or moved. */
    noteGone: (linkId: string, path: string): void => void stored.delete(keyOf(linkId, path)),

    /**
     * Stores a file at a path that seems to be free. Rejects with NAME_TAKEN where somebody else has taken the name: their file stays, and the next try asks
     * the source, so that what it replaces is kept.
     */
    async taking<T>({ linkId, path }: { readonly linkId: string; readonly path: string }, store: () => Promise<T>): Promise<T> {
      try {
        return await store();
      } catch (error) {
        if (error instanceof AppError && error.messageCode === 'NAME_TAKEN') noteStored(linkId, path);
        throw error;
      }
    },

    /** Whether nothing is at the path; false also where it is not known. `refresh` asks the source for the folder in the background. */
    async isFree(linkId: string, path: string, refresh: (folder: StoredFolder & { readonly listedAt: number }) => void): Promise<boolean> {
      if (path === '/' || (stored.get(keyOf(linkId, path)) ?? 0) > now()) return false;
      const folder = await store.findFolder(linkId, parentOf(path));
      if (!folder || folder.listedAt === null) return false;
      const { listedAt } = folder;
      const age = now() - listedAt;
      if (age > refreshedAfter && age < idleAfter && folder.folderCount + folder.fileCount <= mostEntries) refresh({ ...folder, listedAt });
      return age <= trustedFor && !(await store.hasLike(folder.id, nameOf(path)));
    },
  };
}
