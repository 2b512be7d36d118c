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
    /** argon2id in PHC form. */
    passwordHash: string | null;
    /** The user's choice; 0 means never. */
    expirationSeconds: number;
    expiresAt: number | null;
    visits: number;
    createdAt: number;
    /** Increases with every share of the account, to order those of one second. */
    ordinal: number;
  };
}
