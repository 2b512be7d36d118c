/** Audit log. Times are epoch seconds. */
export interface AuditTables {
  audit_event: {
    /** Increases with time, so that it also orders events of the same second. */
    id: string;
    /** Whose log it is: a person's or an organisation's account. */
    accountId: string;
    /** The Space concerned, if any. */
    spaceId: string | null;
    at: number;
    /** Null for automatic events; the account may no longer exist. */
    actorId: string | null;
    /** At the time of the event. */
    actorName: string;
    /** An action of the contract's table. */
    action: string;
    /** Id of the object, and its name at that time. */
    subjectId: string;
    subjectName: string;
    /** JSON of texts, never a secret. */
    details: string;
  };
}
