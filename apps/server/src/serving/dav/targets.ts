import { type Entry, joinPath, nameOf } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';
import { type OpenItem, storedAt } from '#/files/items/open-item.ts';
import type { Place, Window } from '#/serving/programs/windows.ts';
import { namesOf } from './address.ts';
import { DavError } from './answers.ts';

/** What an address leads to: the list of links, a folder above those that the program may use, or an item. */
export type Target =
  | { readonly kind: 'root'; readonly places: readonly Place[] }
  | { readonly kind: 'above'; readonly names: readonly string[]; readonly children: readonly string[] }
  | ItemTarget;

export interface ItemTarget {
  readonly kind: 'item';
  /** The names of its address: the link's, then those of the path. */
  readonly names: readonly string[];
  /** Whether the address ends with a slash. */
  readonly isFolder: boolean;
  readonly item: OpenItem;
  /** The location of its locks and properties: equal for everybody who reaches it. */
  readonly at: Location;
}

export interface Location {
  readonly linkId: string;
  readonly path: string;
}

/** Resolves a path of our addresses. Throws 400 for one that names nothing, and as opening the link does. */
export async function targetAt(path: string, window: Window): Promise<Target> {
  const address = namesOf(path);
  if (!address) throw new DavError(400);
  const [linkName, ...rest] = address.names;
  const places = await window.places();
  if (linkName === undefined) return { kind: 'root', places };
  const place = places.find(({ name }) => name === linkName) ?? places.find(({ name }) => name.normalize() === linkName.normalize());
  if (!place) throw new DavError(404);
  const itemPath = `/${rest.join('/')}`;
  const reach = window.reach(place.userLinkId, itemPath);
  if (reach === 'outside') throw new DavError(404);
  if (reach === 'above') return { kind: 'above', names: address.names, children: window.namesAbove(place.userLinkId, itemPath) };
  const item = await window.open(place.userLinkId, itemPath);
  return { kind: 'item', names: address.names, isFolder: address.isFolder, item, at: locationOf(item) };
}

export const locationOf = (item: OpenItem, path = item.path): Location => storedAt(item, path);

/** The target as an item that can be changed; throws 403 for links and everything above them. */
export function changeable(target: Target): ItemTarget {
  if (target.kind !== 'item' || target.item.path === '/') throw new DavError(403);
  return target;
}

/** The item's metadata from its source; undefined when nothing is there. */
export async function entryAt({ item }: ItemTarget, signal: AbortSignal): Promise<Entry | undefined> {
  const { connector, path } = item;
  if (path === '/') return { name: '', kind: 'folder' };
  try {
    return await connector.stat(path, { signal });
  } catch (error) {
    // A file on the way counts as nothing there.
    if (error instanceof AppError && (error.messageCode === 'ITEM_NOT_FOUND' || error.messageCode === 'NOT_A_FOLDER')) return undefined;
    throw error;
  }
}

/** A location in the folder. */
export const within = ({ linkId, path }: Location, name: string): Location => ({ linkId, path: joinPath(path, name) });
export const placeName = ({ path }: Location): string => nameOf(path);
