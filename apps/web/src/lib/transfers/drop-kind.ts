import { type CopyKind, parentUri, parseLinkUri } from '@sheaf/contract';

/** Rows that are being dragged, in this window or another one of the same user. */
export interface Dragged {
  readonly linkUris: readonly string[];
  /** Whether they can be removed where they are. */
  readonly canMove: boolean;
}

interface Keys {
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
}

const linkOf = (linkUri: string): string | undefined => parseLinkUri(linkUri)?.userLinkId;

/**
 * What a drop on that folder does: a move within a link, a copy between links; Ctrl or Alt always copies. Undefined where nothing can be dropped: on
 * the items themselves and folders in them, and where they already are.
 */
export function dropKind({ linkUris, canMove }: Dragged, folderUri: string, { ctrlKey, altKey }: Keys): CopyKind | undefined {
  if (linkUris.length === 0) return undefined;
  if (linkUris.some((linkUri) => folderUri === linkUri || folderUri.startsWith(`${linkUri}/`))) return undefined;
  const isWithinLink = linkUris.every((linkUri) => linkOf(linkUri) === linkOf(folderUri));
  if (ctrlKey || altKey || !isWithinLink || !canMove) return 'copy';
  return linkUris.every((linkUri) => parentUri(linkUri) === folderUri) ? undefined : 'move';
}
