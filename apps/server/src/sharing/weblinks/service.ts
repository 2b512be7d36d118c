import { nameOf } from '@sheaf/connectors';
import {
  AppError,
  type AuditAction,
  type InputOf,
  type Item,
  type Weblink,
  appError,
  type createWeblink,
  foldName,
  linkUriOf,
  offeredExpiration,
  parseLinkUri,
  type updateWeblink,
  weblinkPagePath,
} from '@sheaf/contract';
import type { Access } from '#/access/access.ts';
import type { Content } from '#/files/content/service.ts';
import { freeName } from '#/files/items/free-name.ts';
import { cannotChange } from '#/files/items/open-item.ts';
import { hashAnyPassword } from '#/identity/account/password.ts';
import type { Accounts } from '#/identity/account/service.ts';
import type { Clock } from '#/platform/clock.ts';
import type { LimitOf } from '#/platform/limit-of.ts';
import type { SharedItemRow, WeblinkRow, WeblinkStore } from './store.ts';
import type { Visits } from './visits.ts';

interface Deps {
  readonly store: WeblinkStore;
  readonly content: Pick<Content, 'metadata'>;
  readonly access: Pick<Access, 'checkShare' | 'open'>;
  readonly visits: Pick<Visits, 'recheck'>;
  /** How many shares an account may have. */
  readonly limitOf: LimitOf;
  readonly accounts: Pick<Accounts, 'requireProven'>;
  /** Makes unguessable ids. */
  readonly newId: () => string;
  readonly now: Clock;
  /** Scheme, host and port by which browsers reach this installation. */
  readonly publicUrl: string;
}

/** An item that its user may share, with its name there. */
type Shareable = Omit<SharedItemRow, 'weblinkId'>;

export type Weblinks = ReturnType<typeof createWeblinks>;

/** A user's shares. Rejects with AppError. */
export function createWeblinks({ store, content, access, visits, limitOf, accounts, newId, now, publicUrl }: Deps) {
  const addressOf = (id: string): string => publicUrl + weblinkPagePath(id);
  const endingAfter = (expirationSeconds: number): Pick<WeblinkRow, 'expirationSeconds' | 'expiresAt'> => {
    const term = offeredExpiration(expirationSeconds);
    return { expirationSeconds: term, expiresAt: term === 0 ? null : now() + term };
  };
  const endingAt = (endsAt: number): Pick<WeblinkRow, 'expirationSeconds' | 'expiresAt'> => ({ expirationSeconds: 0, expiresAt: endsAt });
  const checkEnd = (endsAt: number): void => {
    if (endsAt > 0 && endsAt <= now()) throw appError('INVALID_PARAMETER', { field: 'endsAt' });
  };
  /** The item at the address, if this user may share it. */
  async function shareable(userId: string, linkUri: string, signal: AbortSignal): Promise<Shareable> {
    const address = parseLinkUri(linkUri);
    if (!address) throw appError('INVALID_SHARE_URI', {});
    const allowed = access.checkShare(userId, address.userLinkId);
    const { name, fileType } = await existing(allowed.then(() => content.metadata(userId, { linkUri }, signal)));
    return { linkId: address.userLinkId, path: address.path, isFolder: fileType === 'FOLDER' ? 1 : 0, name };
  }
  async function checkTakesUploads(userId: string, { name, isFolder, linkId }: Shareable): Promise<void> {
    if (isFolder === 0) throw appError('NOT_A_FOLDER', { name });
    const link = await access.open(userId, linkId);
    if (!link.connector.write) throw cannotChange(link);
  }
  /** Names the item, not the share's id: knowing the id grants access. */
  const eventOf = (userId: string, action: AuditAction, { linkId, path }: Pick<WeblinkRow, 'linkId' | 'path'>, subjectName: string) => ({
    accountId: userId,
    actorId: userId,
    action,
    subjectId: linkUriOf(linkId, path),
    subjectName,
    at: now(),
  });

  return {
    /** Newest first, including expired ones. */
    async list(userId: string): Promise<Weblink[]> {
      return (await store.list(userId)).map((row) => ({
        weblinkId: row.id,
        name: nameOfShare(row),
        nbrVisits: row.visits,
        createdTimeStamp: row.createdAt,
        expirationSeconds: row.expirationSeconds,
        ...(row.expiresAt !== null && { expirationTimeStamp: row.expiresAt }),
        isFolder: row.isFolder === 1,
        ...(row.itemCount > 1 && { itemCount: row.itemCount }),
        hasPassword: row.passwordHash !== null,
        ...(row.downloadLimit !== null && { downloadLimit: row.downloadLimit, downloads: row.downloads }),
        ...(row.viewOnly === 1 && { viewOnly: true as const }),
        ...(row.uploadOnly === 1 && { uploadOnly: true as const }),
        ...(row.notifies === 1 && { notifies: true as const }),
        sharelinkurl: addressOf(row.id),
        linkUri: linkUriOf(row.linkId, row.path),
        ...(row.sealed !== null && { sealed: row.sealed }),
      }));
    },

    /** Paths of one link that the user's shares show now. */
    shared: (userId: string, userLinkId: string): Promise<string[]> => store.shared(userId, userLinkId, now()),

    /**
     * Rejects with EMAIL_UNPROVEN, with INVALID_SHARE_URI when the item does not exist, with ROLE_FORBIDS for viewers of a Space, with NOT_A_FOLDER or SOURCE_CANNOT where
     * nothing can be uploaded to, and with the source's error when it cannot be asked.
     */
    async create(
      userId: string,
      {
        linkUri,
        more = [],
        password = '',
        expirationSeconds = 0,
        endsAt = 0,
        uploadOnly = false,
        sealed,
        ...choices
      }: Omit<InputOf<typeof createWeblink>, 'rTag'>,
      signal: AbortSignal,
    ): Promise<{ sharelinkurl: string }> {
      await accounts.requireProven(userId);
      checkEnd(endsAt);
      const uris = [...new Set([linkUri, ...more])];
      if (uploadOnly && uris.length > 1) throw appError('INVALID_PARAMETER', { field: 'more' });
      const first = await shareable(userId, linkUri, signal);
      const all = [first];
      // One after the other, so that a call does not use up a link's connections.
      for (const uri of uris.slice(1)) all.push(await shareable(userId, uri, signal));
      if (uploadOnly) await checkTakesUploads(userId, first);
      const id = newId();
      const row = {
        id,
        accountId: userId,
        linkId: first.linkId,
        path: first.path,
        isFolder: all.length > 1 ? 1 : first.isFolder,
        itemCount: all.length,
        passwordHash: password === '' ? null : await hashAnyPassword(password),
        ...(endsAt > 0 ? endingAt(endsAt) : endingAfter(expirationSeconds)),
        downloadLimit: null,
        viewOnly: 0,
        notifies: 0,
        ...choicesOf(choices),
        uploadOnly: Number(uploadOnly),
        visits: 0,
        sealed: sealed ?? null,
        createdAt: now(),
      };
      if (sealed !== undefined && uploadOnly) throw appError('INVALID_PARAMETER', { field: 'uploadOnly' });
      if (sealed !== undefined && all.length > 1) throw appError('INVALID_PARAMETER', { field: 'more' });
      if (sealed !== undefined && row.isFolder === 0) throw appError('NOT_A_FOLDER', { name: first.name });
      const most = await limitOf(userId, 'shares');
      const event = eventOf(userId, 'share.create', row, severalName(first.name, all.length));
      if (!(await store.insert(row, all.length > 1 ? namedApart(all) : [], event, most)))
        throw appError('TOO_MANY_SHARES', { most: String(most) });
      return { sharelinkurl: addressOf(id) };
    },

    /**
     * An unchanged expiration is kept unless the share has expired; any other counts from now. Rejects with WEBLINK_GONE for a share of another user.
     */
    async update(
      userId: string,
      { weblinkUri, expirationSeconds, passwordChanged, password = '', endsAt, ...more }: Omit<InputOf<typeof updateWeblink>, 'rTag'>,
    ): Promise<void> {
      checkEnd(endsAt ?? 0);
      const id = weblinkUri.slice(weblinkUri.lastIndexOf('/') + 1);
      const share = await store.find(userId, id);
      if (!share) throw appError('WEBLINK_GONE', {});
      const hasExpired = share.expiresAt !== null && share.expiresAt <= now();
      const isRenewed = expirationSeconds !== undefined && (hasExpired || expirationSeconds !== share.expirationSeconds);
      const hasOwnEnd = share.expirationSeconds === 0 && share.expiresAt !== null;
      const change = {
        ...((isRenewed || (endsAt === 0 && hasOwnEnd)) && endingAfter(expirationSeconds ?? share.expirationSeconds)),
        ...(endsAt !== undefined && endsAt > 0 && endingAt(endsAt)),
        ...choicesOf(more),
        ...(passwordChanged === true && { passwordHash: password === '' ? null : await hashAnyPassword(password) }),
      };
      await store.update(userId, id, change, eventOf(userId, 'share.update', share, nameOfShare(share)));
      await visits.recheck(id);
    },

    /** Rejects with WEBLINK_GONE for a share of another user. */
    async remove(userId: string, weblinkId: string): Promise<void> {
      const share = await store.find(userId, weblinkId);
      const event = share && eventOf(userId, 'share.remove', share, nameOfShare(share));
      if (!event || !(await store.remove(userId, weblinkId, event))) throw appError('WEBLINK_GONE', {});
      await visits.recheck(weblinkId);
    },
  };
}

/** The chosen columns. */
const choicesOf = ({
  downloadLimit,
  viewOnly,
  notifies,
}: Pick<InputOf<typeof createWeblink>, 'downloadLimit' | 'viewOnly' | 'notifies'>) => ({
  ...(downloadLimit !== undefined && { downloadLimit: downloadLimit === 0 ? null : downloadLimit }),
  ...(viewOnly !== undefined && { viewOnly: Number(viewOnly) }),
  ...(notifies !== undefined && { notifies: Number(notifies) }),
});

/** Display name of what is shared; for a whole link the link's current name. */
export const nameOfShare = ({ path, linkName, itemCount }: WeblinkRow): string =>
  severalName(path === '/' ? linkName : nameOf(path), itemCount);

const severalName = (first: string, count: number): string => (count === 1 ? first : `${first} and ${count - 1} more`);

/** The items, each with a name that no other has, compared without case. */
function namedApart(items: readonly Shareable[]): Shareable[] {
  const taken = new Set<string>();
  const isTaken = (folded: string): boolean => taken.has(folded);
  return items.map((item) => {
    const other = isTaken(foldName(item.name)) ? freeName(item.name, item.isFolder === 1 ? 'folder' : 'file', isTaken) : undefined;
    const name = other ?? item.name;
    taken.add(foldName(name));
    return { ...item, name };
  });
}

/** Awaits the item and maps every kind of absence to one error. */
async function existing(asked: Promise<Item>): Promise<Item> {
  try {
    return await asked;
  } catch (error) {
    const isNone = error instanceof AppError && (error.messageCode === 'INVALID_LINK_URI' || error.messageCode === 'ITEM_NOT_FOUND');
    throw isNone ? appError('INVALID_SHARE_URI', {}, error) : error;
  }
}
