import { isTemporary, joinPath, nameOf, parentOf } from '@sheaf/connectors';
import { type AppError, appError, isFileName, parseLinkUri } from '@sheaf/contract';
import type { OpenLink } from '#/links/connections/connections.ts';

/** The user's links, as far as content needs them. */
export interface Links {
  /** Opens a link of the user; rejects with INVALID_LINK_URI for any other link. */
  open(userId: string, userLinkId: string): Promise<OpenLink>;
  /** The id of the link with exactly that name: the user's own, or with a membership the organisation's. */
  findByName(userId: string, name: string, memberOid?: string): Promise<string | undefined>;
  /** Rejects with INVALID_LINK_URI unless the link belongs to the organisation of that membership, and the membership to the user. */
  checkMember(userId: string, memberOid: string, userLinkId: string): Promise<void>;
}

/** An item of an open link, by its path. */
export interface OpenItem extends OpenLink {
  /** The user it was opened for. */
  readonly userId: string;
  readonly linkUri: string;
  readonly path: string;
}

/** A call may name the organisation membership it acts under. */
export interface AsMember {
  readonly memberOid?: string | undefined;
}

/**
 * Resolves a user's address to a path; whether the item exists is up to the source. With a membership the link must be its organisation's. Rejects
 * with INVALID_LINK_URI.
 */
export async function openItem(links: Links, userId: string, linkUri: string, memberOid = ''): Promise<OpenItem> {
  const address = parseLinkUri(linkUri);
  if (!address) throw appError('INVALID_LINK_URI', {});
  if (memberOid !== '') await links.checkMember(userId, memberOid, address.userLinkId);
  return { ...(await links.open(userId, address.userLinkId)), userId, linkUri, path: address.path };
}

export const isRoot = ({ path }: OpenItem): boolean => path === '/';

/** An item's folder, and its name there; a link's root has none and cannot be changed as an item. */
export function placeOf({ path, provider }: OpenItem): { folder: string; name: string } {
  if (path === '/') throw appError('SOURCE_CANNOT', { provider });
  return { folder: parentOf(path), name: nameOf(path) };
}

/** Why a change is not possible: the user's role, or the source. */
export const cannotChange = ({ name, provider, isReadOnly }: OpenLink): AppError =>
  isReadOnly ? appError('ROLE_FORBIDS', { name }) : appError('SOURCE_CANNOT', { provider });

/** Refuses invalid names for items, and those of our unfinished uploads. */
export function checkName(name: string, provider: string): void {
  if (name === '') throw appError('MISSING_PARAMETER', {});
  if (!isFileName(name) || isTemporary(name)) throw appError('FILE_NAME_REFUSED', { provider, name });
}

/** Key of an item's location: equal for everybody who accesses it, directly or through a Space. */
export function storedAt({ userLinkId, stored }: OpenLink, path: string): { readonly linkId: string; readonly path: string } {
  if (!stored) return { linkId: userLinkId, path };
  return { linkId: stored.userLinkId, path: path === '/' ? stored.folder : joinPath(stored.folder, path.slice(1)) };
}
