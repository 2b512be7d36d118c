import { type Entry, joinPath } from '@sheaf/connectors';
import type { StoredFolder } from './rows/folder-rows.ts';
import { type CompleteListing, sliceSize } from './rows/replace-rows.ts';
import type { Spool, Spools } from './rows/spool.ts';
import type { ListingStore } from './rows/store.ts';

interface Deps {
  readonly store: ListingStore;
  readonly spools: Pick<Spools, 'open'>;
  /** Called when the stored listing of a folder has other entries than before. */
  readonly tell?: ((linkId: string, path: string, change: 'changed' | 'gone') => void) | undefined;
  /** Forgets stored rows of a folder that has vanished, and everything below it. */
  readonly forget: (linkId: string, path: string) => Promise<void>;
}

/** The listing of a folder, all of which has arrived. */
interface Arrived {
  readonly linkId: string;
  readonly path: string;
  readonly facts: Omit<CompleteListing, 'entries'>;
  entries(): Promise<ReadonlyMap<string, Entry>>;
  /** Spool of a listing that is too long for memory. */
  spool(): Spool | undefined;
}

/** Stores listings in the place of what was known of their folders, and tells of differences. */
export function createStoring({ store, spools, tell, forget }: Deps) {
  /** Returns names of folders that have vanished, as far as the whole folder is compared in memory. Too many rows for one statement are sorted and written in the background. */
  async function put(folderId: number, { facts, ...listing }: Arrived): Promise<readonly string[]> {
    const known = listing.spool();
    if (known) {
      await store.merge(folderId, { ...facts, spool: known });
      return [];
    }
    const entries = await listing.entries();
    if (entries.size <= sliceSize) return store.replace(folderId, { ...facts, entries });
    const spool = spools.open();
    try {
      await spool.put([...entries.values()]);
      await store.merge(folderId, { ...facts, spool });
      return [];
    } finally {
      spool.close();
    }
  }

  /** `folder` is as it was before. */
  return async (folder: StoredFolder, arrived: Arrived): Promise<void> => {
    const { linkId, path, facts } = arrived;
    if (folder.listedAt !== null && folder.fingerprint === facts.fingerprint) return store.confirm(folder.id, facts.listedAt);
    const gone = await put(folder.id, arrived);
    for (const name of gone) await forget(linkId, joinPath(path, name));
    if (folder.listedAt !== null && (await store.findFolder(linkId, path))?.version !== folder.version) tell?.(linkId, path, 'changed');
  };
}

export type Storing = ReturnType<typeof createStoring>;
