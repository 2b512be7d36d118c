/** Address of an item: a link, and the item's path in it (`/` is the link's root, `/a/b` an item). */
export interface ItemAddress {
  readonly userLinkId: string;
  readonly path: string;
}

/** Longest linkUri in characters: thirty percent-encoded names of 255 bytes, with some margin. */
const longestUri = 32_768;
/** Maximum number of names in a path: checks of a path may ask its source for each. S3's longest key, 1,024 bytes, has at most 512. */
const mostNames = 512;

/**
 * Returns the opaque address of an item: `/{userLinkId}` and a percent-encoded segment per name. Lone surrogates, which cannot be encoded, become U+FFFD.
 */
export function linkUriOf(userLinkId: string, path: string): string {
  return path === '/' ? `/${userLinkId}` : `/${userLinkId}${path.split('/').map(encodeSegment).join('/')}`;
}

/** The address of the item with that name in the folder at `folderUri`. */
export const childUri = (folderUri: string, name: string): string => `${folderUri}/${encodeSegment(name)}`;

/** The address of the item's folder; undefined for a link's root. */
export function parentUri(linkUri: string): string | undefined {
  const cut = linkUri.lastIndexOf('/');
  return cut <= 0 ? undefined : linkUri.slice(0, cut);
}

/**
 * Parses an address; undefined when it is invalid or has too many names: empty segments, `.` and `..` (encoded or not), an encoded slash, NUL, malformed percent-encoding
 * or UTF-8, a query or a fragment.
 */
export function parseLinkUri(linkUri: string): ItemAddress | undefined {
  if (linkUri.length > longestUri || !linkUri.startsWith('/')) return undefined;
  const [userLinkId = '', ...encoded] = linkUri.slice(1).split('/');
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(userLinkId)) return undefined;
  if (encoded.length > mostNames) return undefined;
  const names: string[] = [];
  for (const segment of encoded) {
    const name = decodeSegment(segment);
    if (name === undefined || !isSegment(name)) return undefined;
    names.push(name);
  }
  return { userLinkId, path: `/${names.join('/')}` };
}

/**
 * Whether a string can be one segment of a path: not empty, `.` or `..`, and without slash, NUL or lone surrogate. Also refuses what Windows servers
 * read as dot segments: dots between backslashes, which are separators there, and dots before trailing blanks, which are dropped.
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
