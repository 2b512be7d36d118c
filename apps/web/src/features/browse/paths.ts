/** Where items are looked at: as files, or as pictures; in the last two nothing can be changed. */
export type Area = 'browse' | 'gallery' | 'preview/list' | 'preview/gallery';

export const isReadOnly = (area: Area): boolean => area.startsWith('preview/');

/** The address in the app of an item, by the names that lead to it: link, folders, item. Every character is kept, a backslash as %5C. */
export const browseHref = (names: readonly string[], area: Area = 'browse'): string =>
  [`/${area}`, ...names.map(encodeURIComponent)].join('/');

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
