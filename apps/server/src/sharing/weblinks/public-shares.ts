import { allInParallel } from '@sheaf/connectors';
import { AppError, type Item, type PublicItem, appError, limits, linkUriOf, sealedIndexName } from '@sheaf/contract';
import type { SortKey } from '@sheaf/contract';
import type { Access } from '#/access/access.ts';
import type { OpenFile } from '#/files/bodies/files.ts';
import type { Content } from '#/files/content/service.ts';
import type { OpenThumbnail } from '#/files/content/thumbnails.ts';
import type { OpenItem } from '#/files/items/open-item.ts';
import type { Uploader } from '#/files/uploads/uploader.ts';
import { isPassword } from '#/identity/account/password.ts';
import type { Clock } from '#/platform/clock.ts';
import { networkOf } from '#/platform/http/network.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { type Downloads, isUsedUp } from './downloads.ts';
import type { Passes } from './passes.ts';
import { publicError } from './public-errors.ts';
import { publicItemOf, publicItemsOf, severalPage } from './public-items.ts';
import { nameOfShare } from './service.ts';
import { type Shared, divided, isShared, missing, pathIn, refuseLinks } from './shared-path.ts';
import type { WeblinkRow, WeblinkStore } from './store.ts';

const minutes = 60;
/** Limits wrong passwords for one share, by network and in total. */
const triesPerAddress = { tries: 10, seconds: 15 * minutes };
const triesPerShare = { tries: 300, seconds: 60 * minutes };

interface Deps {
  readonly store: WeblinkStore;
  readonly content: Pick<Content, 'metadata' | 'firstPage' | 'page' | 'openFile' | 'openThumbnail'>;
  readonly links: Pick<Access, 'open' | 'checkShare'>;
  readonly passes: Passes;
  readonly downloads: Downloads;
  /** Called when a visitor has opened the share, or uploaded a file into it. */
  readonly told: (share: WeblinkRow, what: 'opened' | 'uploaded') => void;
  readonly throttle: Throttle;
  readonly now: Clock;
}

/** A shared item, and the path below it that a visitor asks for. */
interface Root extends Shared {
  readonly linkId: string;
  readonly name: string;
  readonly below: string;
}
/** Items of a share of several that are looked up at the same time. */
const lookedUpAtOnce = 4;

/** A request with a share's address. */
export interface Visit {
  readonly weblinkId: string;
  /** The pass from an earlier opening with the right password, if any. */
  readonly pass: string | undefined;
  /** The visitor's network, by which downloads are counted. */
  readonly network: string;
}
/** A visitor who opens a share. */
export interface OpenRequest extends Visit {
  readonly password?: string;
  /** The client's network address, by which tries are counted. */
  readonly address: string;
  /** The signed-in user, if any. */
  readonly userId: string | undefined;
}
interface Opened {
  readonly name: string;
  readonly isFolder: boolean;
  readonly expirationSeconds: number;
  readonly expirationTimeStamp?: number;
  readonly viewOnly?: true;
  readonly uploadOnly?: true;
  readonly sealed?: true;
  readonly item: PublicItem;
}
/** Parts of the owner's page that visitors' pages are built from. */
interface PageOfOwner {
  readonly items: readonly Item[];
  readonly total?: number;
  readonly hasMore: boolean;
  readonly stale?: boolean;
}

interface ListRequest {
  readonly path?: string;
  readonly offset: number;
  readonly limit: number;
  readonly sort: SortKey;
  readonly order: 'asc' | 'desc';
  readonly filter?: string;
}
interface PublicPage {
  items: PublicItem[];
  total?: number;
  hasMore: boolean;
  stale?: boolean;
}

export type PublicShares = ReturnType<typeof createPublicShares>;

/**
 * Calls of a share's visitors. Unknown, expired or deleted shares, and those whose link or item no longer exists, are all refused with WEBLINK_GONE.
 * Every call reaches the shared item and what is below it, never more, and with the owner's rights.
 */
export function createPublicShares({ store, content, links, passes, downloads, told, throttle, now }: Deps) {
  async function shareOf(weblinkId: string): Promise<WeblinkRow> {
    const share = await store.findOpen(weblinkId, now());
    if (!share) throw appError('WEBLINK_GONE', {});
    await links.checkShare(share.accountId, share.linkId);
    return share;
  }

  /** The share, if it needs no password or the visitor has a valid pass. */
  async function admitAny({ weblinkId, pass }: Visit): Promise<WeblinkRow> {
    const share = await shareOf(weblinkId);
    if (share.passwordHash !== null && !passes.fits(share, pass)) throw appError('WEBLINK_PASSWORD_NEEDED', {});
    return share;
  }

  /** The same, for calls that show something of the shared item. */
  async function admit(visit: Visit): Promise<WeblinkRow> {
    const share = await admitAny(visit);
    if (share.uploadOnly === 1) throw appError('WEBLINK_UPLOAD_ONLY', {});
    return share;
  }

  async function checkPassword({ id, passwordHash }: WeblinkRow, password: string, address: string): Promise<void> {
    if (password === '') throw appError('WEBLINK_PASSWORD_NEEDED', {});
    const [fromHere, fromWherever] = [`weblink ${id} from ${networkOf(address)}`, `weblink ${id}`];
    await throttle.count(fromHere, triesPerAddress);
    await throttle.count(fromWherever, triesPerShare);
    if (!(await isPassword(password, passwordHash))) throw appError('WEBLINK_PASSWORD_WRONG', {});
    await throttle.clear(fromHere);
    await throttle.uncount(fromWherever);
  }

  /** The shared item that the visitor's path leads to, and the rest of the path. A share of several is itself no item. */
  async function rootAt(share: WeblinkRow, visitorsPath: string): Promise<Root> {
    if (share.itemCount === 1) return { ...share, name: nameOfShare(share), below: visitorsPath };
    const { name, below } = divided(visitorsPath);
    if (name === '') throw appError('IS_A_FOLDER', { name: nameOfShare(share) });
    const [item] = await store.items(share.id, name);
    if (!item) throw missing(name);
    await links.checkShare(share.accountId, item.linkId);
    return { ...item, below };
  }

  /** The item at the visitor's path; rejects with ITEM_NOT_FOUND for one that could be outside the share. */
  async function itemAt(share: WeblinkRow, visitorsPath: string, signal: AbortSignal): Promise<{ root: Root; item: OpenItem }> {
    const root = await rootAt(share, visitorsPath);
    const path = pathIn(root, root.below);
    const link = await links.open(share.accountId, root.linkId);
    await refuseLinks(link.connector, root.path, path, signal);
    return { root, item: { ...link, userId: share.accountId, path, linkUri: linkUriOf(root.linkId, path) } };
  }

  /** The file at the visitor's path: a shared folder is not opened as a file that has taken its name since. */
  async function fileAt(share: WeblinkRow, visitorsPath: string, signal: AbortSignal): Promise<OpenItem> {
    const { root, item } = await itemAt(share, visitorsPath, signal);
    if (root.isFolder === 1 && item.path === root.path) throw appError('IS_A_FOLDER', { name: root.name });
    return item;
  }

  /** The item at the visitor's path, of either kind; the shared item itself must have the kind that was shared. */
  async function wholeItemAt(share: WeblinkRow, visitorsPath: string, signal: AbortSignal): Promise<OpenItem> {
    const { root, item } = await itemAt(share, visitorsPath, signal);
    if (item.path !== root.path) return item;
    const found = await content.metadata(share.accountId, { linkUri: item.linkUri }, signal);
    if (!isShared(root, found)) throw missing(root.name);
    return item;
  }

  /** The items of a share of several as visitors see them: those that are gone are left out, and of those out of reach only the name is told. */
  async function severalItems(share: WeblinkRow, signal: AbortSignal): Promise<PublicItem[]> {
    const shown: PublicItem[] = [];
    await allInParallel(await store.items(share.id), lookedUpAtOnce, async (row) => {
      const { name, linkId, path } = row;
      try {
        await links.checkShare(share.accountId, linkId);
        const item = await content.metadata(share.accountId, { linkUri: linkUriOf(linkId, path) }, signal);
        if (isShared(row, item)) shown.push(publicItemOf({ ...item, name }, share.id, name));
      } catch (error) {
        signal.throwIfAborted();
        const told = publicError(error);
        if (!(told instanceof AppError)) throw error;
        if (told.messageCode === 'WEBLINK_UNREACHABLE') shown.push({ name, path: name, fileType: row.isFolder === 1 ? 'FOLDER' : 'FILE' });
      }
    });
    return shown;
  }

  /** What a share opens with. Rejects with WEBLINK_GONE where its item is gone. */
  async function itemOf(share: WeblinkRow, signal: AbortSignal): Promise<PublicItem> {
    const { id, accountId, linkId, path } = share;
    if (share.itemCount > 1) return { name: nameOfShare(share), path: '', fileType: 'FOLDER' };
    const item = await present(content.metadata(accountId, { linkUri: linkUriOf(linkId, path) }, signal));
    if (!isShared(share, item)) throw appError('WEBLINK_GONE', {});
    const { name, fileType } = item;
    return share.uploadOnly === 1 ? { name, path: '', fileType } : publicItemOf(item, id, '');
  }

  return {
    /** Whether the share exists. Its item is not looked up; opening the share reports other problems. */
    async exists(weblinkId: string): Promise<boolean> {
      try {
        await shareOf(weblinkId);
        return true;
      } catch (error) {
        const told = publicError(error);
        if (told instanceof AppError) return told.messageCode !== 'WEBLINK_GONE';
        throw told;
      }
    },

    /** Opens the share and counts the visit, unless it is the owner's. The pass is valid for the other calls for a while. */
    async open(
      { weblinkId, pass, password = '', address, userId }: OpenRequest,
      signal: AbortSignal,
    ): Promise<{ opened: Opened; pass?: string }> {
      const share = await shareOf(weblinkId);
      const isProtected = share.passwordHash !== null;
      if (isProtected && !passes.fits(share, pass)) await checkPassword(share, password, address);
      if (isUsedUp(share)) throw appError('WEBLINK_USED_UP', {});
      const item = await itemOf(share, signal);
      if (userId !== share.accountId) {
        await store.countVisit(weblinkId);
        if (share.uploadOnly === 0) told(share, 'opened');
      }
      const opened = {
        name: nameOfShare(share),
        isFolder: item.fileType === 'FOLDER',
        expirationSeconds: share.expirationSeconds,
        ...(share.expiresAt !== null && { expirationTimeStamp: share.expiresAt }),
        ...(share.viewOnly === 1 && { viewOnly: true as const }),
        ...(share.uploadOnly === 1 && { uploadOnly: true as const }),
        ...(share.sealed !== null && { sealed: true as const }),
        item,
      };
      return { opened, ...(isProtected && { pass: passes.issue(share) }) };
    },

    /** Rows of the shared folder, or of one below it. */
    async list(
      visit: Visit,
      { path = '', offset, limit, ...view }: ListRequest,
      signal: AbortSignal,
    ): Promise<{ page: PublicPage; pass?: string }> {
      const share = await admit(visit);
      const passed = share.passwordHash !== null && { pass: passes.issue(share) };
      if (share.itemCount > 1 && divided(path).name === '')
        return { page: severalPage(await severalItems(share, signal), { offset, limit, ...view }), ...passed };
      const { root, item } = await itemAt(share, path, signal);
      const { linkUri } = item;
      if (root.isFolder === 0) throw appError('NOT_A_FOLDER', { name: root.name });
      const owner = share.accountId;
      const answer =
        offset === 0
          ? await content.firstPage(owner, { linkUri, limit, fresh: false, refresh: true, ...view }, signal)
          : await content.page(owner, { linkUri, offset, limit, ...view }, signal);
      const { items, total, hasMore, stale } = (JSON.parse(answer.toString()) as { data: PageOfOwner }).data;
      const page = {
        items: publicItemsOf(items, share.id, path.replace(/^\//, '').replace(/\/$/, '')),
        ...(total !== undefined && { total }),
        hasMore,
        ...(stale !== undefined && { stale }),
      };
      return { page, ...passed };
    },

    /**
     * The file at the path; sends no request for it yet. `shown` says that it is shown in the page; a share that visitors may only look at gives no
     * other bytes, and of those only what browsers show. Of encrypted files nothing tells what they are: the visitor's page offers no download of them.
     */
    async openFile(
      visit: Visit,
      { path, shown, counts = true }: { path: string; shown: boolean; counts?: boolean },
      signal: AbortSignal,
    ): Promise<{ readonly file: OpenFile; readonly viewOnly: boolean }> {
      const share = await admit(visit);
      const viewOnly = share.viewOnly === 1;
      if (viewOnly && !shown) throw appError('WEBLINK_VIEW_ONLY', {});
      const { linkUri, path: place } = await fileAt(share, path, signal);
      if (counts && !(share.sealed !== null && path === sealedIndexName)) await downloads.count(share, visit.network, place);
      return { file: await content.openFile(share.accountId, linkUri), viewOnly: viewOnly && share.sealed === null };
    },

    async openThumbnail(visit: Visit, { path, size }: { path: string; size: number }, signal: AbortSignal): Promise<OpenThumbnail> {
      const share = await admit(visit);
      const { linkUri } = await fileAt(share, path, signal);
      return content.openThumbnail(share.accountId, { linkUri, size }, signal);
    },

    /** For whom a visitor's uploads are. Rejects with WEBLINK_NO_UPLOADS where the share takes none. */
    async uploader(visit: Visit): Promise<Uploader> {
      const share = await admitAny(visit);
      if (share.uploadOnly === 0) throw appError('WEBLINK_NO_UPLOADS', {});
      const { id: weblinkId, accountId: userId, linkId, path } = share;
      return {
        userId,
        share: { weblinkId, visitor: downloads.visitorOf(share, visit.network), parentLinkUri: linkUriOf(linkId, path) },
      };
    },

    /** Counts a file that a visitor begins to upload. `what` tells it from others, so that a repetition is not counted. */
    async countUpload({ weblinkId, network }: Visit, what: readonly string[]): Promise<void> {
      await downloads.count(await shareOf(weblinkId), network, what);
    },

    /** Tells the owner that a visitor has uploaded a file. */
    async uploaded({ weblinkId }: Visit): Promise<void> {
      told(await shareOf(weblinkId), 'uploaded');
    },

    /** The items at the paths, for an archive. */
    async openItems(visit: Visit, paths: readonly string[], signal: AbortSignal): Promise<OpenItem[]> {
      const share = await admit(visit);
      if (share.viewOnly === 1) throw appError('WEBLINK_VIEW_ONLY', {});
      if (paths.length > limits.archiveItems) throw appError('TOO_MANY_ITEMS', { most: String(limits.archiveItems) });
      const items: OpenItem[] = [];
      const isAll = share.itemCount > 1 && paths.some((path) => divided(path).name === '');
      const asked = isAll ? (await severalItems(share, signal)).map(({ path }) => path) : paths;
      // Sequentially, so that a visitor's call does not use up the link's connections.
      for (const path of asked) items.push(await wholeItemAt(share, path, signal));
      await downloads.count(
        share,
        visit.network,
        items.map(({ path }) => path),
      );
      return items;
    },
  };
}

/** Awaits the shared item; one that no longer exists counts as no share. */
async function present(asked: Promise<Item>): Promise<Item> {
  try {
    return await asked;
  } catch (error) {
    const isGone = error instanceof AppError && (error.messageCode === 'ITEM_NOT_FOUND' || error.messageCode === 'INVALID_LINK_URI');
    throw isGone ? appError('WEBLINK_GONE', {}, error) : error;
  }
}
