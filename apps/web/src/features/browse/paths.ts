/** Areas: files or pictures, one's own or an organisation's; the last two are read-only. */
export type Area = 'browse' | 'gallery' | 'browseorg' | 'browsegalleryorg' | 'preview/list' | 'preview/gallery';

export const isOfOrg = (area: Area): boolean => area === 'browseorg' || area === 'browsegalleryorg';

export const isReadOnly = (area: Area): boolean => area.startsWith('preview/');

/**
 * Address of an item, by its path: link, folders, item. Encodes every character, including the backslash. For an organisation it includes the
 * membership.
 */
export const browseHref = (names: readonly string[], area: Area = 'browse', memberOid?: string): string =>
  [`/${area}`, ...names.map(encodeURIComponent)].join('/') + (memberOid === undefined ? '' : `?${memberQuery(memberOid)}`);

const memberQuery = (memberOid: string): string => new URLSearchParams({ orgMembershipOid: memberOid }).toString();

/** Decodes the rest of a /browse address; undefined when it is malformed. */
export function namesOf(splat: string): string[] | undefined {
  try {
    return splat
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
