/** Names that uploads under way will take. Times are epoch seconds. */
export interface NameClaimTables {
  name_claim: {
    /** SHA-256 of the link's id and the folded path, base64url. */
    hash: string;
    /** Of the upload, which alone releases it. */
    id: string;
    /** When it counts no more. */
    endsAt: number;
  };
}
