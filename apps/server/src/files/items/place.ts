import { type Connector, joinPath, nameOf, parentOf, partialPrefix } from '@sheaf/connectors';
import { type AppError, appError, isFileName, parseLinkUri } from '@sheaf/contract';

/** A link of the user, opened. */
export interface OpenLink {
  readonly userLinkId: string;
  readonly name: string;
  /** The provider's title, for what the user is told. */
  readonly provider: string;
  /** Whether the source keeps deleted items. */
  readonly hasBin: boolean;
  /** The user's role lets them look only. */
  readonly isReadOnly?: true;
  /** Only in a space: where its files lie, the same for all its members. */
  readonly stored?: { readonly userLinkId: string; readonly folder: string };
  /** Rejects with AppError. */
  readonly connector: Connector;
}

/** The user's links, as far as content needs them. */
export interface Links {
  /** Opens a link of the user; rejects with INVALID_LINK_URI when it is none of theirs. */
  open(userId: string, userLinkId: string): Promise<OpenLink>;
  /** The id of the link of exactly that name: the user's own, or with a membership the organisation's. */
  findByName(userId: string, name: string, memberOid?: string): Promise<string | undefined>;
  /** Rejects with INVALID_LINK_URI unless the link belongs to the organisation of that membership, and the membership to the user. */
  checkMember(userId: string, memberOid: string, userLinkId: string): Promise<void>;
}

/** An item of an open link, by its path. */
export interface OpenItem extends OpenLink {
  /** For whom it was opened. */
  readonly userId: string;
  readonly linkUri: string;
  readonly path: string;
}

/** A call may say as a member of which organisation it is made. */
export interface AsMember {
  readonly memberOid?: string | undefined;
}

/**
 * The item that an address of the user's means; whether it exists is the source's to say. With a membership the link must be of its
 * organisation. Rejects with INVALID_LINK_URI.
 */
export async function openItem(links: Links, userId: string, linkUri: string, memberOid = ''): Promise<OpenItem> {
  const address = parseLinkUri(linkUri);
  if (!address) throw appError('INVALID_LINK_URI', {});
  if (memberOid !== '') await links.checkMember(userId, memberOid, address.userLinkId);
  return { ...(await links.open(userId, address.userLinkId)), userId, linkUri, path: address.path };
}

export const isRoot = ({ path }: OpenItem): boolean => path === '/';

/** The folder that holds an item, and the item's name in it; a link's root is in none and cannot be changed as an item. */
export function placeOf({ path, provider }: OpenItem): { folder: string; name: string } {
  if (path === '/') throw appError('SOURCE_CANNOT', { provider });
  return { folder: parentOf(path), name: nameOf(path) };
}

/** Why a change cannot be made: the user's role, or else the source. */
export const cannotChange = ({ name, provider, isReadOnly }: OpenLink): AppError =>
  isReadOnly ? appError('ROLE_FORBIDS', { name }) : appError('SOURCE_CANNOT', { provider });

/** Refuses a name that no item may be given; those of unfinished uploads are ours. */
export function checkName(name: string, provider: string): void {
  if (name === '') throw appError('MISSING_PARAMETER', {});
  if (!isFileName(name) || name.startsWith(partialPrefix)) throw appError('FILE_NAME_REFUSED', { provider, name });
}

/** Where an item of the folder is stored: the same for everybody who reaches it, by the link itself or through a space. */
export function storedAt({ userLinkId, stored }: OpenLink, path: string): { readonly linkId: string; readonly path: string } {
  if (!stored) return { linkId: userLinkId, path };
  return { linkId: stored.userLinkId, path: path === '/' ? stored.folder : joinPath(stored.folder, path.slice(1)) };
}
