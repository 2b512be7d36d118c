/** Which view of a link is meant. */
export interface BrowseTarget {
  readonly name: string;
  /** Photo-style providers open in the gallery. */
  readonly gallery: boolean;
  /** Present: the link is an organisation's, seen by this member. */
  readonly orgMembershipOid?: string;
}

/** Address of a link's view. The name is one segment, percent-encoded: a backslash, which browsers would take for a slash, becomes `%5C`. */
export function browseUrlOf({ name, gallery, orgMembershipOid }: BrowseTarget): string {
  const isOrganization = orgMembershipOid !== undefined;
  const view = gallery ? (isOrganization ? 'browsegalleryorg' : 'gallery') : isOrganization ? 'browseorg' : 'browse';
  const query = isOrganization ? `?orgMembershipOid=${encodeURIComponent(orgMembershipOid)}` : '';
  return `/${view}/${encodeURIComponent(name)}${query}`;
}
