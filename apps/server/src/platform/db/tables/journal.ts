import type { ChangeKind } from '@sheaf/contract';

/** Changes of items and how they are undone. */
export interface JournalTables {
  journal: {
    /** The link that stores the item. */
    linkId: string;
    /** Ordered by time. */
    id: string;
    /** Who changed it; may have been closed since. */
    accountId: string;
    /** Equal for changes that are undone together. */
    undoId: string;
    /** The link by which the user reached the item, and the folder to which it was limited: the user's paths begin there. */
    viaLinkId: string;
    scope: string;
    kind: ChangeKind;
    /**
     * `begun` before the source is asked, and still so when the process died or the source's answer was lost: the change may have been made or not.
     * `done` afterwards; `undone` when it was reversed; `purged` when the item was deleted for ever.
     */
    state: 'begun' | 'done' | 'undone' | 'purged';
    /** As the user sees it: before the change, and after a renaming or move. */
    path: string;
    toPath: string | null;
    isFolder: number;
    /** Facts of the item after the change; of a deleted one, before. */
    size: number | null;
    modified: number | null;
    etag: string | null;
    /** The bin of a deleted or replaced item, and its id there; `version`: the source keeps what was replaced as a version of that id. */
    bin: 'source' | 'hidden' | 'version' | null;
    binId: string | null;
    /** Bytes of a replaced file in a hidden bin; null for everything else. */
    binSize: number | null;
    /** Epoch seconds; an item of a hidden bin is deleted when the time is over. */
    createdAt: number;
    expiresAt: number;
  };
  /** For how many days hidden bins of an account's links keep items; without a row the usual ones. */
  binSetting: {
    accountId: string;
    days: number;
  };
}
