/** Public addresses of items. Times are epoch seconds, booleans are 0 or 1. */
export interface WeblinkTables {
  weblink: {
    /** Last part of the address; knowing it grants access. */
    id: string;
    accountId: string;
    linkId: string;
    /** The shared item's path in its link; `/` is the whole link. */
    path: string;
    isFolder: number;
    /** With more than one, they are rows of `weblinkItem`; `linkId` and `path` are then those of the first, and `isFolder` is 1. */
    itemCount: number;
    /** argon2id in PHC form. */
    passwordHash: string | null;
    /** The user's choice; 0 means never. */
    expirationSeconds: number;
    expiresAt: number | null;
    visits: number;
    /** Downloads that are allowed, and those that were counted; null allows any number. Where visitors upload, both are of the files that they add. */
    downloadLimit: number | null;
    downloads: number;
    /** Whether visitors may look, but not download. */
    viewOnly: number;
    /** Whether visitors may only upload into the folder, and see nothing of it. */
    uploadOnly: number;
    /** Whether its owner is mailed when visitors open it, and when that last happened. */
    notifies: number;
    notifiedAt: number | null;
    /** Of a share of a vault's item: its key and its name, sealed with the key of the vault. Only browsers open it. */
    sealed: string | null;
    createdAt: number;
    /** Increases with every share of the account, to order those of one second. */
    ordinal: number;
  };
  /** Items of a share of several. */
  weblinkItem: {
    weblinkId: string;
    /** The item's name for visitors, unique in the share. */
    name: string;
    linkId: string;
    path: string;
    isFolder: number;
  };
  /** Downloads of the last hour that were counted, so that their continuations are not. */
  weblinkDownload: {
    /** A MAC of share, network and path: no address of a visitor is stored. */
    id: string;
    weblinkId: string;
    at: number;
  };
}
