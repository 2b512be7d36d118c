import { type Weblink, type createWeblink, expirationIndexOf, shareExpirations, type updateWeblink } from '@sheaf/contract';
import type { Payload } from '#/lib/http/send.ts';

/** Data of a share's dialog. */
export interface ShareLink {
  readonly name: string;
  /** The public address; empty before it exists. */
  readonly url: string;
  /** Path of the shared item, separated by slashes. */
  readonly sourceFilePath: string;
  readonly sourceLinkUri: string;
  /** Position in the list of expirations. */
  readonly expirationIndex: number;
  readonly hasPassword: boolean;
}

/** The user's input. An undefined password is unchanged. */
export interface ShareDraft {
  readonly password: string | undefined;
  readonly expirationIndex: number;
}

/** A new share of the item at that path. */
export const newShare = (sourceFilePath: string, sourceLinkUri: string): ShareLink => ({
  name: lastSegment(sourceFilePath),
  url: '',
  sourceFilePath,
  sourceLinkUri,
  expirationIndex: 0,
  hasPassword: false,
});

/** The share to change. */
export const shareOf = ({ name, sharelinkurl, linkUri, expirationSeconds, hasPassword }: Weblink): ShareLink => ({
  name,
  url: sharelinkurl,
  sourceFilePath: name,
  sourceLinkUri: linkUri,
  expirationIndex: expirationIndexOf(expirationSeconds),
  hasPassword,
});

export const draftOf = ({ expirationIndex }: ShareLink): ShareDraft => ({ password: undefined, expirationIndex });

const secondsAt = (index: number): number => shareExpirations[index]?.seconds ?? 0;

/** Payload for creating the share; undefined while the item is unknown. */
export function creationOf(
  { sourceLinkUri }: ShareLink,
  { password = '', expirationIndex }: ShareDraft,
): Payload<typeof createWeblink> | undefined {
  if (sourceLinkUri === '') return undefined;
  return { linkUri: sourceLinkUri, password, expirationSeconds: secondsAt(expirationIndex) };
}

/**
 * Payload for changing a share. Omits an unchanged password and removes an emptied one. Sends `storedSeconds` back unless another expiration was
 * chosen, so that saving does not extend the share.
 */
export function changeOf(
  { url, hasPassword, expirationIndex: before }: ShareLink,
  { password, expirationIndex }: ShareDraft,
  storedSeconds: number,
): Payload<typeof updateWeblink> {
  const isChanged = password !== undefined && (hasPassword || password !== '');
  return {
    weblinkUri: lastSegment(new URL(url).pathname),
    expirationSeconds: expirationIndex === before ? storedSeconds : secondsAt(expirationIndex),
    ...(isChanged && { passwordChanged: true, password }),
  };
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** When a share expires, in epoch seconds; undefined for never. */
export function expiryOf({
  createdTimeStamp,
  expirationSeconds = 0,
  expirationTimeStamp,
}: Partial<Weblink> & Pick<Weblink, 'createdTimeStamp'>): number | undefined {
  return expirationTimeStamp ?? (expirationSeconds > 0 ? createdTimeStamp + expirationSeconds : undefined);
}

export type ShareSort = 'created' | 'name';
export interface ShareOrder {
  readonly sort: ShareSort;
  readonly order: 'asc' | 'desc';
}

/** The order in an address; newest first by default. */
export function orderOf(params: Readonly<Record<string, string | undefined>>): ShareOrder {
  const sort = params['sort'] === 'name' ? 'name' : 'created';
  const first = sort === 'name' ? 'asc' : 'desc';
  const { order } = params;
  return { sort, order: order === 'asc' || order === 'desc' ? order : first };
}

/** The order after a column's header was pressed: its own default, or the reverse. */
export function nextOrder(now: ShareOrder, sort: ShareSort): ShareOrder {
  if (now.sort === sort) return { sort, order: now.order === 'asc' ? 'desc' : 'asc' };
  return { sort, order: sort === 'name' ? 'asc' : 'desc' };
}

const names = new Intl.Collator(undefined, { sensitivity: 'accent', numeric: true });

/** Sorts the shares. */
export function sorted<Row extends Pick<Weblink, 'name' | 'createdTimeStamp'>>(rows: readonly Row[], { sort, order }: ShareOrder): Row[] {
  const way = order === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => way * (sort === 'name' ? names.compare(a.name, b.name) : a.createdTimeStamp - b.createdTimeStamp));
}
