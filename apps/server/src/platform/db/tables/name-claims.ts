/** Names reserved by uploads under way. Times are epoch seconds. */
export interface NameClaimTables {
  name_claim: {
    /** SHA-256 of the link's id and the folded path, base64url. */
    hash: string;
    /** Id of the upload; only that upload releases it. */
    id: string;
    /** When the reservation expires. */
    endsAt: number;
  };
}
