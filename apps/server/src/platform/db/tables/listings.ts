import type { Generated } from 'kysely';

/** Stored listings of sources. Sheaf's own times are epoch milliseconds, files' times are epoch seconds. */
export interface ListingTables {
  listing_folder: {
    id: Generated<number>;
    linkId: string;
    path: string;
    /** The path if it is short enough for an index, else its digest; `gone:{id}` while the folder's rows wait for deletion. */
    pathKey: string;
    /** When the source last returned the whole folder; null before the first time. */
    listedAt: number | null;
    /** Identifies the source's listing; null after a change by Sheaf itself. */
    fingerprint: string | null;
    /** Changes with every change of the rows. */
    version: string;
    folderCount: number;
    fileCount: number;
    /** The folded path, for the search; null in rows of earlier versions until a job has filled it in. */
    foldedPath: string | null;
    /** 1 while only Sheaf itself has looked into the folder. */
    isUnopened: Generated<number>;
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
  /** Names changed by Sheaf itself: a listing that began before `changedAt` does not know the change. */
  listing_change: {
    folderId: number;
    name: string;
    changedAt: number;
  };
  /** What Sheaf does by itself to know a link's folders. */
  link_knowledge: {
    linkId: string;
    /** Whether the owner wants that; null until they have chosen. */
    isWanted: number | null;
    /** When a user last looked into the link. */
    usedAt: number;
    nextAt: number;
    /** Refusals of the source in a row, and the code of the last one. */
    refusals: number;
    reason: string | null;
    /** Cursor of the source's changes. */
    cursor: string | null;
    /** When changes are asked for next; null where the source reports none. */
    feedAt: number | null;
    /** The source could not tell all changes since listings from before then. */
    staleBefore: number;
    /** A folder whose whole tree is being listed; still set after a listing was interrupted. */
    tree: string | null;
    /** When a hint of the service leads to the next question for changes, or led to the last one. */
    hintedAt: number | null;
    /** When changes were last asked for. */
    askedAt: number | null;
  };
  /** Subscriptions to what services say about changes. */
  link_hint: {
    linkId: string;
    /** SHA-256 of what the service's calls carry. */
    secretHash: string | null;
    /** The subscription's name at the service; null where there is none yet. */
    handle: string | null;
    expiresAt: number | null;
    renewAt: number;
    /** Refusals of the service in a row. */
    refusals: number;
  };
  /** Folders that the source has refused to list. */
  knowledge_refusal: {
    linkId: string;
    pathKey: string;
    refusedAt: number;
  };
  /** One row: whether the index of the search covers all entries. */
  search_index: {
    id: number;
    state: string;
    /** Ids of deleted entries that were taken out of SQLite's index since its parts were last merged. */
    unmerged: Generated<number>;
  };
}
