import { type Weblink, type createWeblink, expirationIndexOf, shareExpirations, type updateWeblink } from '@sheaf/contract';
import type { Payload } from '#/lib/http/send.ts';
import type { ShareTermsChosen } from '#/lib/sharing/share-terms.ts';

/** Data of a share's dialog. */
export interface ShareLink {
  readonly name: string;
  /** The public address; empty before it exists. */
  readonly url: string;
  /** Path of the shared item, separated by slashes. */
  readonly sourceFilePath: string;
  readonly sourceLinkUri: string;
  /** Position in the list of expirations; without meaning where the share has an end of its own. */
  readonly expirationIndex: number;
  readonly hasPassword: boolean;
  /** The end of its own, in epoch seconds. */
  readonly endsAt?: number;
  /** Absent without a limit. */
  readonly downloadLimit?: number;
  readonly viewOnly?: boolean;
  readonly uploadOnly?: boolean;
  readonly notifies?: boolean;
}

/** The user's input. An undefined password is unchanged. */
export interface ShareDraft {
  readonly password: string | undefined;
  readonly expirationIndex: number;
  /** An end of its own, in epoch seconds, in place of the expiration. */
  readonly endsAt?: number | undefined;
  /** 0: any number. */
  readonly downloadLimit?: number;
  readonly viewOnly?: boolean;
  /** Visitors upload into the folder, and see nothing of it; chosen with a new share. */
  readonly uploadOnly?: boolean;
  readonly notifies?: boolean;
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
export const shareOf = ({ name, sharelinkurl, linkUri, hasPassword, ...share }: Weblink): ShareLink => {
  const { expirationSeconds, expirationTimeStamp, downloadLimit, viewOnly, uploadOnly, notifies } = share;
  const endsAt = expirationSeconds === 0 ? expirationTimeStamp : undefined;
  return {
    name,
    url: sharelinkurl,
    sourceFilePath: name,
    sourceLinkUri: linkUri,
    expirationIndex: expirationIndexOf(expirationSeconds),
    hasPassword,
    ...(endsAt !== undefined && { endsAt }),
    ...(downloadLimit !== undefined && { downloadLimit }),
    ...(viewOnly && { viewOnly }),
    ...(uploadOnly && { uploadOnly }),
    ...(notifies && { notifies }),
  };
};

export const draftOf = ({ expirationIndex, endsAt, downloadLimit, viewOnly, uploadOnly, notifies }: ShareLink): ShareDraft => ({
  password: undefined,
  expirationIndex,
  ...(endsAt !== undefined && { endsAt }),
  ...(downloadLimit !== undefined && { downloadLimit }),
  ...(viewOnly !== undefined && { viewOnly }),
  ...(uploadOnly !== undefined && { uploadOnly }),
  ...(notifies !== undefined && { notifies }),
});

/** Whether the draft can be sent: an end of its own is in the future. `now` is in epoch milliseconds. */
export const isComplete = ({ endsAt }: ShareDraft, now: number): boolean => endsAt === undefined || endsAt * 1000 > now;

/** The choices that differ from those of the share. */
const choicesOf = (share: Partial<ShareLink>, { endsAt, downloadLimit = 0, viewOnly = false, notifies = false }: ShareDraft) => ({
  ...(endsAt !== share.endsAt && { endsAt: endsAt ?? 0 }),
  ...(downloadLimit !== (share.downloadLimit ?? 0) && { downloadLimit }),
  ...(viewOnly !== (share.viewOnly ?? false) && { viewOnly }),
  ...(notifies !== (share.notifies ?? false) && { notifies }),
});

const secondsAt = (index: number): number => shareExpirations[index]?.seconds ?? 0;

/** What is sent for a new share beside its item. */
export function termsOf(draft: ShareDraft): ShareTermsChosen {
  const { password = '', expirationIndex, uploadOnly = false, ...more } = draft;
  const choices = choicesOf({}, { ...more, password, expirationIndex, ...(uploadOnly && { viewOnly: false }) });
  return { password, expirationSeconds: secondsAt(expirationIndex), ...choices, ...(uploadOnly && { uploadOnly }) };
}

/** Payload for creating the share; undefined while the item is unknown. */
export function creationOf({ sourceLinkUri }: ShareLink, draft: ShareDraft): Payload<typeof createWeblink> | undefined {
  return sourceLinkUri === '' ? undefined : { linkUri: sourceLinkUri, ...termsOf(draft) };
}

/**
 * Payload for changing a share. Omits an unchanged password and removes an emptied one. Sends `storedSeconds` back unless another expiration was
 * chosen, so that saving does not extend the share.
 */
export function changeOf(share: ShareLink, draft: ShareDraft, storedSeconds: number): Payload<typeof updateWeblink> {
  const { url, hasPassword, expirationIndex: before } = share;
  const { password, expirationIndex } = draft;
  const isChanged = password !== undefined && (hasPassword || password !== '');
  return {
    weblinkUri: lastSegment(new URL(url).pathname),
    expirationSeconds: expirationIndex === before ? storedSeconds : secondsAt(expirationIndex),
    ...choicesOf(share, draft),
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
