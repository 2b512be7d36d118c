/** Addresses of the web from which transfers copy. */
export interface WebAddressTables {
  webAddress: {
    id: string;
    accountId: string;
    /** As shown; the rest of the address may be a secret. */
    host: string;
    /** The sealed address. */
    sealed: string;
    /** The file's name at the destination. */
    name: string;
    /** `algorithm:hex`, which the file should have. */
    hash: string | null;
    /** Epoch milliseconds. */
    createdAt: number;
  };
}
