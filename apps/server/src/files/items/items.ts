import type { Connector, Entry } from '@sheaf/connectors';
import { type Item, type ItemOperation, childUri, linkUriOf, operations, thumbnail } from '@sheaf/contract';
import { canBePictured, mediaTypeOf } from './media-type.ts';

/** What is told of entries. */
export interface Shown {
  /** Whether the source makes pictures, beside those that Sheaf makes by itself. */
  readonly makesThumbnails?: boolean;
  /** Leaves types and pictures out. */
  readonly brief?: boolean;
}

/** An entry as the browser sees it, in the folder of that address; with the address of its picture where the source or Sheaf makes one. */
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

/** Files that sources make pictures of. */
const isPictured = /^(?:image|video)\/|^application\/pdf$/;

/** Whether there is a small picture of a file of that type. */
export const hasPicture = (mediaType: string, makesThumbnails: boolean): boolean =>
  canBePictured(mediaType) || (makesThumbnails && isPictured.test(mediaType));

/** The address of an item's picture, to which the version is to be added. */
export const thumbnailUrlOf = (linkUri: string): string => `${thumbnail.path}?linkUri=${encodeURIComponent(linkUri)}`;

/** Texts that are written the same in JSON and in addresses, and so in addresses within addresses. */
export const plain = /^[\w.-]+$/;

/** The end of a picture's address; it changes with the content, so that the browser may keep the picture. */
export function thumbnailVersionOf(version: string | number = ''): string {
  if (typeof version === 'number') return `&v=${version}`;
  const opaque = opaqueOf(version);
  return plain.test(opaque) ? `&v=${opaque}` : `&v=${encodeURIComponent(opaque.toWellFormed())}`;
}

/** What an entity tag (RFC 9110, section 8.8.3) says beside its quotes; a text that is none says all of itself. */
function opaqueOf(etag: string): string {
  const from = etag.startsWith('"') ? 1 : etag.startsWith('W/"') ? 3 : 0;
  return from > 0 && etag.length > from && etag.endsWith('"') ? etag.slice(from, -1) : etag;
}

/** A link's root as the browser sees it. */
export const rootItem = (userLinkId: string, linkName: string): Item => ({
  name: linkName,
  disambiguatedName: linkName,
  linkUri: linkUriOf(userLinkId, '/'),
  fileType: 'FOLDER',
});

/** What can be done in a link, as far as the browser is concerned. Whoever may only look makes no public links to it either. */
export const allowedIn = ({ connector, isReadOnly }: { connector: Connector; isReadOnly?: true }): ItemOperation[] =>
  operations.filter((operation) =>
    operation === 'share' ? isReadOnly !== true : (connector as Partial<Record<ItemOperation, unknown>>)[operation] !== undefined,
  );
