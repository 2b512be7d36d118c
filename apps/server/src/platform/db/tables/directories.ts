/** What directories outside bring: people and groups by SCIM (RFC 7643), pictures by sign-in providers. Times are epoch seconds, hashes SHA-256 in base64url. */
export interface DirectoryTables {
  /** A token with which a directory manages the members of one organisation. */
  scim_token: {
    id: string;
    orgId: string;
    name: string;
    tokenHash: string;
    /** Account id of the admin who made it; the token is valid as long as they may manage members. */
    createdBy: string;
    createdAt: number;
    lastUsedAt: number | null;
  };
  scim_user: {
    id: string;
    orgId: string;
    /** `userName` in lower case and NFC, which is compared without regard to case. */
    userNameKey: string;
    externalId: string | null;
    /** Same form as an account's. */
    emailKey: string;
    /** The account that has joined for it; null until then. */
    accountId: string | null;
    active: number;
    /** The attributes as the directory gave them, as JSON. */
    resource: string;
    /** Counts the changes, for ETags. */
    version: number;
    createdAt: number;
    changedAt: number;
  };
  scim_group: {
    id: string;
    orgId: string;
    name: string;
    nameKey: string;
    externalId: string | null;
    /** The role of its members in the organisation: `member` or `admin`. */
    role: string;
    version: number;
    createdAt: number;
    changedAt: number;
  };
  scim_group_member: {
    groupId: string;
    userId: string;
  };
  account_picture: {
    accountId: string;
    /** Where it came from. */
    address: string;
    /** WebP of 128 by 128 pixels, base64. */
    image: string;
    changedAt: number;
  };
}
