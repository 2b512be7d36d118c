/**
 * Organisations are accounts of kind `organisation`, which nobody can sign in to; they own links, a subscription and a log as a person does. Times
 * are epoch seconds.
 */
export interface OrgTables {
  org_member: {
    /** The orgMembershipOid. */
    id: string;
    /** The orgOid: the organisation's account. */
    orgId: string;
    accountId: string;
    role: string;
    joinedAt: number;
    /** The sign-in provider that made the membership, or `scim` for a directory; null where people did. */
    givenBy: string | null;
  };
  org_invitation: {
    id: string;
    orgId: string;
    email: string;
    /** Same form as an account's. */
    emailKey: string;
    role: string;
    /** SHA-256 of the token in the mail, base64url. */
    tokenHash: string;
    /** Account id; the account may no longer exist. */
    invitedBy: string;
    /** `scim` where a directory invites; null where people do. */
    givenBy: string | null;
    createdAt: number;
    expiresAt: number;
  };
}
