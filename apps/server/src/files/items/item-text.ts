import type { Entry } from '@sheaf/connectors';
import { childUri } from '@sheaf/contract';
import { type Shown, hasPicture, plain, thumbnailUrlOf, thumbnailVersionOf } from './items.ts';
import { mediaTypeOf } from './media-type.ts';

/**
 * Entries of the folder with that address as JSON text: same as `JSON.stringify` of `itemOf`, in a fraction of the time. Every row of every page
 * comes through here.
 */
export function itemsText(folderUri: string, entries: readonly Entry[], { makesThumbnails = false, brief = false }: Shown): string {
  const typeOf = createTypes(makesThumbnails);
  // The client's own encoding of the address, which may differ from ours.
  const uriStart = JSON.stringify(`${folderUri}/`).slice(0, -1);
  const pictureStart = JSON.stringify(thumbnailUrlOf(`${folderUri}/`)).slice(0, -1);
  let text = '';
  for (const { name, kind, size, modified, mimeType, etag } of entries) {
    const isPlain = plain.test(name);
    const quoted = isPlain ? `"${name}"` : JSON.stringify(name);
    const uriEnd = isPlain ? name : childUri('', name).slice(1);
    const time = modified === undefined ? '' : `,"modified":${JSON.stringify(Math.trunc(modified))}`;
    const start = `${text === '' ? '' : ','}{"name":${quoted},"disambiguatedName":${quoted},"linkUri":${uriStart}${uriEnd}"`;
    if (kind === 'folder') {
      text += `${start},"fileType":"FOLDER"${time}}`;
      continue;
    }
    const type = brief ? untyped : typeOf(mediaTypeOf(name, mimeType));
    text += `${start},"fileType":"FILE"${type.text}${time}${size === undefined ? '' : `,"size":${JSON.stringify(size)}`}`;
    text += type.pictured
      ? `,"thumbnailUrl":${pictureStart}${isPlain ? name : encodeURIComponent(uriEnd)}${thumbnailVersionOf(etag ?? modified)}"}`
      : '}';
  }
  return `[${text}]`;
}

/** The part of an item that depends on its type. */
interface ShownType {
  readonly text: string;
  readonly pictured: boolean;
}
const untyped: ShownType = { text: '', pictured: false };

/** A folder's files have few types, so their texts are cached. */
function createTypes(makesThumbnails: boolean) {
  const known = new Map<string, ShownType>();
  return (mediaType: string): ShownType => {
    const found = known.get(mediaType);
    if (found) return found;
    const type = { text: `,"mimeType":${JSON.stringify(mediaType)}`, pictured: hasPicture(mediaType, makesThumbnails) };
    known.set(mediaType, type);
    return type;
  };
}
