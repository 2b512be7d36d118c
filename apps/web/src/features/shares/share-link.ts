import { type Weblink, type createWeblink, expirationIndexOf, shareExpirations, type updateWeblink } from '@sheaf/contract';
import type { Payload } from '#/lib/http/send.ts';

/** What the dialog of a share works on. */
export interface ShareLink {
  readonly name: string;
  /** The public address; empty until there is one. */
  readonly url: string;
  /** Names that lead to what is shared, parted by slashes. */
  readonly sourceFilePath: string;
  readonly sourceLinkUri: string;
  /** Place in the list of expirations. */
  readonly expirationIndex: number;
  readonly hasPassword: boolean;
}

/** What the user has entered. A password of undefined was not touched. */
export interface ShareDraft {
  readonly password: string | undefined;
  readonly expirationIndex: number;
}

/** A share to be made of the item at that path. */
export const newShare = (sourceFilePath: string, sourceLinkUri: string): ShareLink => ({
  name: lastSegment(sourceFilePath),
  url: '',
  sourceFilePath,
  sourceLinkUri,
  expirationIndex: 0,
  hasPassword: false,
});

/** The share that is changed. */
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

/** What is sent to make the share; undefined while it is not known of what. */
export function creationOf(
  { sourceLinkUri }: ShareLink,
  { password = '', expirationIndex }: ShareDraft,
): Payload<typeof createWeblink> | undefined {
  if (sourceLinkUri === '') return undefined;
  return { linkUri: sourceLinkUri, password, expirationSeconds: secondsAt(expirationIndex) };
}

/**
 * What is sent to change a share. A password that was not touched is not mentioned; one that was emptied is taken away. `storedSeconds` is sent
 * back as it is unless another expiration was chosen, so that the share does not live on by being saved.
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

/** When a share ends, in epoch seconds; undefined when it never does. */
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

/** The order that an address asks for; without one the newest come first. */
export function orderOf(params: Readonly<Record<string, string | undefined>>): ShareOrder {
  const sort = params['sort'] === 'name' ? 'name' : 'created';
  const first = sort === 'name' ? 'asc' : 'desc';
  const { order } = params;
  return { sort, order: order === 'asc' || order === 'desc' ? order : first };
}

/** The order after the head of a column was pressed: its own first one, or the other way round. */
export function nextOrder(now: ShareOrder, sort: ShareSort): ShareOrder {
  if (now.sort === sort) return { sort, order: now.order === 'asc' ? 'desc' : 'asc' };
  return { sort, order: sort === 'name' ? 'asc' : 'desc' };
}

const names = new Intl.Collator(undefined, { sensitivity: 'accent', numeric: true });

/** The shares in that order. */
export function sorted<Row extends Pick<Weblink, 'name' | 'createdTimeStamp'>>(rows: readonly Row[], { sort, order }: ShareOrder): Row[] {
  const way = order === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => way * (sort === 'name' ? names.compare(a.name, b.name) : a.createdTimeStamp - b.createdTimeStamp));
}
