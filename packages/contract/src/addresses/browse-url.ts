/** The view of a link. */
export interface BrowseTarget {
  readonly name: string;
  /** Photo-style providers open in the gallery. */
  readonly gallery: boolean;
  /** Set for an organisation's link, seen under this membership. */
  readonly orgMembershipOid?: string;
}

/** Address of a link's view. The name is one percent-encoded segment: a backslash, which browsers treat as a slash, becomes `%5C`. */
export function browseUrlOf({ name, gallery, orgMembershipOid }: BrowseTarget): string {
  const isOrganization = orgMembershipOid !== undefined;
  const view = gallery ? (isOrganization ? 'browsegalleryorg' : 'gallery') : isOrganization ? 'browseorg' : 'browse';
  const query = isOrganization ? `?orgMembershipOid=${encodeURIComponent(orgMembershipOid)}` : '';
  return `/${view}/${encodeURIComponent(name)}${query}`;
}
