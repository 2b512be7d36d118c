/** Folders shared with members. Every member, including the owner, has a link of provider `Spaces`. Times are epoch seconds. */
export interface SpaceTables {
  space: {
    /** The spaceOid. */
    id: string;
    ownerId: string;
    name: string;
    /** Lower case and NFC; unique among the owner's Spaces. */
    nameKey: string;
    description: string;
    /** The owner's link that holds the files; it may no longer exist. */
    storageLinkId: string;
    /** The folder in that link. */
    storagePath: string;
    /** Title of the storage's provider, kept when the link is deleted. */
    provider: string;
    createdAt: number;
  };
  space_member: {
    id: string;
    spaceId: string;
    accountId: string;
    role: string;
    /** The member's link to the Space; unlinking it leaves the Space. */
    linkId: string;
    joinedAt: number;
  };
  space_invitation: {
    id: string;
    spaceId: string;
    email: string;
    /** Same form as an account's. */
    emailKey: string;
    role: string;
    /** SHA-256 of the token in the mail, base64url. */
    tokenHash: string;
    /** Account id; the account may no longer exist. */
    invitedBy: string;
    createdAt: number;
    expiresAt: number;
  };
}
