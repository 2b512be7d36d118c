/** Who did what and when. Times are epoch seconds. */
export interface AuditTables {
  audit_event: {
    /** Grows with time, so that it also orders events of the same second. */
    id: string;
    /** Whose log it is: a person's or an organisation's account. */
    accountId: string;
    /** The space that it is about, besides. */
    spaceId: string | null;
    at: number;
    /** Null for what happened by itself; the account may be gone. */
    actorId: string | null;
    /** As it was then. */
    actorName: string;
    /** An action of the contract's table. */
    action: string;
    /** What was acted upon, and its name then. */
    subjectId: string;
    subjectName: string;
    /** JSON of texts, never a secret. */
    details: string;
  };
}
