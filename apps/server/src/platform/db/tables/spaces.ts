/** Folders shared with members. Every member, the owner included, has a link of provider `Spaces` to the space. Times are epoch seconds. */
export interface SpaceTables {
  space: {
    /** The spaceOid. */
    id: string;
    ownerId: string;
    name: string;
    /** Lower case and NFC: what is unique among the owner's spaces. */
    nameKey: string;
    description: string;
    /** The owner's link that holds the files; it may be gone. */
    storageLinkId: string;
    /** The folder in that link. */
    storagePath: string;
    /** Title of the storage's provider, told also when the link is gone. */
    provider: string;
    createdAt: number;
  };
  space_member: {
    id: string;
    spaceId: string;
    accountId: string;
    role: string;
    /** The member's link to the space; unlinked, its member has left. */
    linkId: string;
    joinedAt: number;
  };
  space_invitation: {
    id: string;
    spaceId: string;
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
