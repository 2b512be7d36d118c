import type { Connector, Entry } from '@sheaf/connectors';
import { type Item, type ItemOperation, childUri, linkUriOf, operations } from '@sheaf/contract';
import { mediaTypeOf } from './media-type.ts';

/** An entry as the browser sees it, in the folder of that address. */
export function itemOf(folderUri: string, { name, kind, size, modified, mimeType }: Entry): Item {
  return {
    name,
    disambiguatedName: name,
    linkUri: childUri(folderUri, name),
    fileType: kind === 'folder' ? 'FOLDER' : 'FILE',
    ...(kind === 'file' && { mimeType: mediaTypeOf(name, mimeType) }),
    ...(modified !== undefined && { modified: Math.trunc(modified) }),
    ...(kind === 'file' && size !== undefined && { size }),
  };
}

/** A link's root as the browser sees it. */
export const rootItem = (userLinkId: string, linkName: string): Item => ({
  name: linkName,
  disambiguatedName: linkName,
  linkUri: linkUriOf(userLinkId, '/'),
  fileType: 'FOLDER',
});

/** What can be done in a link, as far as the browser is concerned. */
export const allowedIn = (connector: Connector): ItemOperation[] =>
  operations.filter((operation) => (connector as Partial<Record<ItemOperation, unknown>>)[operation] !== undefined);
