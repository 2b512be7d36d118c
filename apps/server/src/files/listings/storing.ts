import { type Entry, joinPath } from '@sheaf/connectors';
import type { StoredFolder } from './rows/folder-rows.ts';
import { type CompleteListing, type Replaced, sliceSize } from './rows/replace-rows.ts';
import type { Spool, Spools } from './rows/spool.ts';
import type { ListingStore } from './rows/store.ts';

interface Deps {
  readonly store: ListingStore;
  readonly spools: Pick<Spools, 'open'>;
  /** Called when the stored listing of a folder has other entries than before. */
  readonly tell?: ((linkId: string, path: string, change: 'changed' | 'gone') => void) | undefined;
  /** Called when listing a known folder has found new items; not for folders too long for memory. */
  readonly arrived?: ((linkId: string, path: string, items: { count: number; name: string; isFolder: boolean }) => void) | undefined;
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

/** Replaces the stored listings of folders, and reports the differences. */
export function createStoring({ store, spools, tell, arrived, forget }: Deps) {
  /** What has changed, as far as the whole folder is compared in memory. Too many rows for one statement are sorted and written in the background. */
  async function put(folderId: number, { facts, ...listing }: Arrived): Promise<Replaced | undefined> {
    const known = listing.spool();
    if (known) {
      await store.merge(folderId, { ...facts, spool: known });
      return undefined;
    }
    const entries = await listing.entries();
    if (entries.size <= sliceSize) return store.replace(folderId, { ...facts, entries });
    const spool = spools.open();
    try {
      await spool.put([...entries.values()]);
      await store.merge(folderId, { ...facts, spool });
      return undefined;
    } finally {
      spool.close();
    }
  }

  /** `folder` is as it was before. */
  return async (folder: StoredFolder, listing: Arrived): Promise<void> => {
    const { linkId, path, facts } = listing;
    if (folder.listedAt !== null && folder.fingerprint === facts.fingerprint) return store.confirm(folder.id, facts.listedAt);
    const replaced = await put(folder.id, listing);
    const { count = 0, example } = replaced?.added ?? {};
    if (folder.listedAt !== null && example) arrived?.(linkId, path, { count, name: example.name, isFolder: example.kind === 'folder' });
    for (const name of replaced?.gone ?? []) await forget(linkId, joinPath(path, name));
    if (folder.listedAt !== null && (await store.findFolder(linkId, path))?.version !== folder.version) tell?.(linkId, path, 'changed');
  };
}

export type Storing = ReturnType<typeof createStoring>;
