/** Public addresses of items. Times are epoch seconds, truths are 0 or 1. */
export interface WeblinkTables {
  weblink: {
    /** What the address ends with; whoever knows it may come in. */
    id: string;
    accountId: string;
    linkId: string;
    /** The shared item's path in its link; `/` is all of it. */
    path: string;
    isFolder: number;
    /** argon2id in PHC form. */
    passwordHash: string | null;
    /** What was chosen; 0 is forever. */
    expirationSeconds: number;
    expiresAt: number | null;
    visits: number;
    createdAt: number;
    /** Grows with every share of the account: two of one second keep their order. */
    ordinal: number;
  };
}
