import type { Generated } from 'kysely';

/** What sources have shown. Times are epoch milliseconds where they are Sheaf's own, epoch seconds where they are a file's. */
export interface ListingTables {
  listing_folder: {
    id: Generated<number>;
    linkId: string;
    path: string;
    /** The path where it is short enough to be indexed, else a digest of it; `gone:{id}` once the folder's rows wait to be deleted. */
    pathKey: string;
    /** When the source last gave the whole folder; null until it first has. */
    listedAt: number | null;
    /** Tells two listings of the source apart; null after a change that Sheaf itself made. */
    fingerprint: string | null;
    /** Another one after every change of the rows. */
    version: string;
    folderCount: number;
    fileCount: number;
  };
  listing_entry: {
    folderId: number;
    isFile: number;
    sortKey: string;
    name: string;
    /** The folded name where it differs from the name. */
    folded: string | null;
    extension: string;
    size: number | null;
    modified: number | null;
    etag: string | null;
    mimeType: string | null;
  };
  /** Names that Sheaf itself changed: a listing begun before `changedAt` knows nothing of it. */
  listing_change: {
    folderId: number;
    name: string;
    changedAt: number;
  };
}
