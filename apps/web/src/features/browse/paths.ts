/** Where items are looked at: as files, or as pictures, one's own or an organisation's; in the last two nothing can be changed. */
export type Area = 'browse' | 'gallery' | 'browseorg' | 'browsegalleryorg' | 'preview/list' | 'preview/gallery';

export const isOfOrg = (area: Area): boolean => area === 'browseorg' || area === 'browsegalleryorg';

export const isReadOnly = (area: Area): boolean => area.startsWith('preview/');

/**
 * The address in the app of an item, by the names that lead to it: link, folders, item. Every character is kept, a backslash as %5C.
 * In an organisation it says as which member.
 */
export const browseHref = (names: readonly string[], area: Area = 'browse', memberOid?: string): string =>
  [`/${area}`, ...names.map(encodeURIComponent)].join('/') + (memberOid === undefined ? '' : `?${memberQuery(memberOid)}`);

const memberQuery = (memberOid: string): string => new URLSearchParams({ orgMembershipOid: memberOid }).toString();

/** The names in the still encoded rest of a /browse address; undefined when it is not well-formed. */
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
