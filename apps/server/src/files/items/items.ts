import type { Connector, Entry } from '@sheaf/connectors';
import { type Item, type ItemOperation, childUri, linkUriOf, operations, thumbnail } from '@sheaf/contract';
import { canBePictured, mediaTypeOf } from './media-type.ts';

/** Fields of an entry that are sent to the browser. */
export interface Shown {
  /** Whether the source makes thumbnails, besides those made by Sheaf. */
  readonly makesThumbnails?: boolean;
  /** Omits types and thumbnails. */
  readonly brief?: boolean;
}

/** An entry for the browser, in the folder with that address; with a thumbnail's address if the source or Sheaf makes one. */
export function itemOf(
  folderUri: string,
  { name, kind, size, modified, mimeType, etag }: Entry,
  { makesThumbnails = false, brief = false }: Shown = {},
): Item {
  const isTyped = kind === 'file' && !brief;
  const linkUri = childUri(folderUri, name);
  const mediaType = mediaTypeOf(name, mimeType);
  return {
    name,
    disambiguatedName: name,
    linkUri,
    fileType: kind === 'folder' ? 'FOLDER' : 'FILE',
    ...(isTyped && { mimeType: mediaType }),
    ...(modified !== undefined && { modified: Math.trunc(modified) }),
    ...(kind === 'file' && size !== undefined && { size }),
    ...(isTyped &&
      hasPicture(mediaType, makesThumbnails) && {
        thumbnailUrl: thumbnailUrlOf(linkUri) + thumbnailVersionOf(etag ?? modified),
      }),
  };
}

/** Types of which sources make thumbnails. */
const isPictured = /^(?:image|video)\/|^application\/pdf$/;

/** Whether a file of that type has a thumbnail. */
export const hasPicture = (mediaType: string, makesThumbnails: boolean): boolean =>
  canBePictured(mediaType) || (makesThumbnails && isPictured.test(mediaType));

/** The address of an item's thumbnail, without the version. */
export const thumbnailUrlOf = (linkUri: string): string => `${thumbnail.path}?linkUri=${encodeURIComponent(linkUri)}`;

/** Texts that need no escaping in JSON, in addresses, and in addresses within addresses. */
export const plain = /^[\w.-]+$/;

/** The version in a thumbnail's address; it changes with the content, so that the browser may cache the picture. */
export function thumbnailVersionOf(version: string | number = ''): string {
  if (typeof version === 'number') return `&v=${version}`;
  const opaque = opaqueOf(version);
  return plain.test(opaque) ? `&v=${opaque}` : `&v=${encodeURIComponent(opaque.toWellFormed())}`;
}

/** The content of an entity tag (RFC 9110, section 8.8.3) without quotes; any other text unchanged. */
function opaqueOf(etag: string): string {
  const from = etag.startsWith('"') ? 1 : etag.startsWith('W/"') ? 3 : 0;
  return from > 0 && etag.length > from && etag.endsWith('"') ? etag.slice(from, -1) : etag;
}

/** A link's root for the browser. */
export const rootItem = (userLinkId: string, linkName: string): Item => ({
  name: linkName,
  disambiguatedName: linkName,
  linkUri: linkUriOf(userLinkId, '/'),
  fileType: 'FOLDER',
});

/** Actions in a link, for the browser. A read-only role may not share publicly either. */
export const allowedIn = ({ connector, isReadOnly }: { connector: Connector; isReadOnly?: true }): ItemOperation[] =>
  operations.filter((operation) =>
    operation === 'share' ? isReadOnly !== true : (connector as Partial<Record<ItemOperation, unknown>>)[operation] !== undefined,
  );
