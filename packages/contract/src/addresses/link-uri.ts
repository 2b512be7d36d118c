/** Where an item is: a link, and the item's path in it as connectors write it (`/` is the link's root, `/a/b` an item). */
export interface ItemAddress {
  readonly userLinkId: string;
  readonly path: string;
}

/** Longest linkUri that is looked at, in characters: thirty names of 255 bytes, percent-encoded, with room. */
const longestUri = 32_768;

/**
 * The opaque address of an item: `/{userLinkId}` and a percent-encoded segment per name.
 * A name's lone surrogates, which no address can carry, are written as U+FFFD.
 */
export function linkUriOf(userLinkId: string, path: string): string {
  return path === '/' ? `/${userLinkId}` : `/${userLinkId}${path.split('/').map(encodeSegment).join('/')}`;
}

/** The address of an item of that name in a folder whose address is `folderUri`. */
export const childUri = (folderUri: string, name: string): string => `${folderUri}/${encodeSegment(name)}`;

/** The address of the folder that holds the item; a link's root has none. */
export function parentUri(linkUri: string): string | undefined {
  const cut = linkUri.lastIndexOf('/');
  return cut <= 0 ? undefined : linkUri.slice(0, cut);
}

/**
 * Reads an address back, or gives undefined where one cannot be: empty segments, `.` and `..` (encoded or not), an encoded slash, NUL,
 * malformed percent-encoding or UTF-8, a query or a fragment.
 */
export function parseLinkUri(linkUri: string): ItemAddress | undefined {
  if (linkUri.length > longestUri || !linkUri.startsWith('/')) return undefined;
  const [userLinkId = '', ...encoded] = linkUri.slice(1).split('/');
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(userLinkId)) return undefined;
  const names: string[] = [];
  for (const segment of encoded) {
    const name = decodeSegment(segment);
    if (name === undefined || !isSegment(name)) return undefined;
    names.push(name);
  }
  return { userLinkId, path: `/${names.join('/')}` };
}

/**
 * Whether a string can be one name of a path: not empty, `.` or `..`, and without slash, NUL or lone surrogate. What Windows servers would read as
 * dots is refused too: dots between backslashes, which are slashes there, and dots before blanks, which are dropped at the end of a name.
 */
export const isSegment = (name: string): boolean =>
  name !== '' && !dots.test(name) && !name.includes('/') && !name.includes('\0') && name.isWellFormed();

const dots = /(?:^|\\)\.\.?(?: [. ]*)?(?:\\|$)/;

const encodeSegment = (name: string): string => encodeURIComponent(name.toWellFormed());

function decodeSegment(segment: string): string | undefined {
  if (/[?#\\]/.test(segment)) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
