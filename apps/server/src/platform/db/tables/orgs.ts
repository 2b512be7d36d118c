/** Organisations are accounts of kind `organisation`, which nobody signs in to: links, subscription and log hang on them as on a person's. Times are epoch seconds. */
export interface OrgTables {
  org_member: {
    /** The orgMembershipOid. */
    id: string;
    /** The orgOid: the organisation's account. */
    orgId: string;
    accountId: string;
    role: string;
    joinedAt: number;
  };
  org_invitation: {
    id: string;
    orgId: string;
    email: string;
    /** As an account's. */
    emailKey: string;
    role: string;
    /** SHA-256 of the token in the mail, base64url. */
    tokenHash: string;
    /** Account id; the account may be gone. */
    invitedBy: string;
    createdAt: number;
    expiresAt: number;
  };
}
