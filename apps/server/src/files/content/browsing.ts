import { type Entry, joinPath } from '@sheaf/connectors';
import {
  type InputOf,
  type Item,
  type ReplyOf,
  answerText,
  appError,
  type folderSizes,
  type getMetadata,
  type getMore,
  linkUriOf,
  parentUri,
  type remoteUpdate,
  type resolvePath,
} from '@sheaf/contract';
import type { Journal } from '#/files/changes/journal.ts';
import { itemsText } from '#/files/items/item-text.ts';
import { allowedIn, itemOf, rootItem } from '#/files/items/items.ts';
import { type Links, type OpenItem, isRoot, openItem, placeOf } from '#/files/items/open-item.ts';
import { viewOf } from '#/files/listings/rows/view.ts';
import type { ListedPage, Listings } from '#/files/listings/service.ts';
import { type Transfers, transfersOf } from './transfers.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly transfers: Transfers;
  readonly journal: Pick<Journal, 'shownBin'>;
}

type Input<C> = Omit<InputOf<C>, 'rTag'>;

/** An encoded page, and the data it was made from besides the entries. */
interface Sent {
  readonly linkUri: string;
  readonly brief: boolean;
  readonly facts: string;
  readonly bytes: Buffer;
}

const makesThumbnails = ({ thumbnail }: OpenItem['connector']): boolean => thumbnail !== undefined;

/** An entry of the folder with that address, in the item's link. */
const shownOf = ({ connector }: OpenItem, folderUri: string, entry: Entry): Item =>
  itemOf(folderUri, entry, { makesThumbnails: makesThumbnails(connector) });

/** Browsing: pages of folders, paths and single items. */
export function createBrowsing({ links, listings, transfers, journal }: Deps) {
  /** Cached pages return the same array each time, usually with the same other data. */
  const sent = new WeakMap<readonly Entry[], Sent>();
  const answerOf = (
    { linkUri, connector }: OpenItem,
    { brief = false }: { brief?: boolean },
    { entries }: ListedPage,
    about: object,
  ): Buffer => {
    const facts = JSON.stringify(about);
    const known = sent.get(entries);
    if (known?.linkUri === linkUri && known.brief === brief && known.facts === facts) return known.bytes;
    const items = itemsText(linkUri, entries, { makesThumbnails: makesThumbnails(connector), brief });
    const bytes = Buffer.from(answerText(`{"items":${items},${facts.slice(1)}`));
    sent.set(entries, { linkUri, brief, facts, bytes });
    return bytes;
  };

  const stat = async (item: OpenItem, signal: AbortSignal): Promise<Item> => {
    if (isRoot(item)) return rootItem(item.userLinkId, item.name);
    return shownOf(item, parentUri(item.linkUri) ?? '', await item.connector.stat(item.path, { signal }));
  };

  return {
    /** The first rows of a folder: the whole encoded answer with a FirstPage. */
    async firstPage(userId: string, input: Input<typeof remoteUpdate>, signal: AbortSignal): Promise<Buffer> {
      const folder = await openItem(links, userId, input.linkUri, input.memberOid);
      const { path, userLinkId, connector } = folder;
      const { fresh, refresh, limit, early = false } = input;
      const ask = { view: viewOf(input), fresh, refresh, early, offset: 0, limit };
      const [page, renames, bin] = await Promise.all([
        listings.firstPage({ userId, linkId: userLinkId, connector, path }, ask, signal),
        transfersOf(transfers, folder).renames(),
        journal.shownBin(folder),
      ]);
      const { total, unfiltered, hasMore, listedAt, stale, version, failure } = page;
      const can = allowedIn(folder);
      return answerOf(folder, input, page, {
        total,
        unfiltered,
        hasMore,
        listedAt,
        stale,
        version,
        can,
        ...bin,
        refreshError: failure?.toAnswer(),
        ...renames,
      });
    },

    /** Further rows: the whole encoded answer with a Page. */
    async page(userId: string, input: Input<typeof getMore>, signal: AbortSignal): Promise<Buffer> {
      const folder = await openItem(links, userId, input.linkUri, input.memberOid);
      const { path, userLinkId, connector } = folder;
      const { offset, limit, early = false } = input;
      const page = await listings.page(
        { userId, linkId: userLinkId, connector, path },
        { view: viewOf(input), early, offset, limit },
        signal,
      );
      const { total, unfiltered, hasMore } = page;
      return answerOf(folder, input, page, { total, unfiltered, hasMore });
    },

    /**
     * Resolves a path of names: the item and the folders above it, starting with the link's root. With a membership the link is its organisation's.
     */
    async resolve(
      userId: string,
      { path, memberOid }: Input<typeof resolvePath>,
      signal: AbortSignal,
    ): Promise<{ item: Item; ancestors: Item[] }> {
      const [linkName = '', ...names] = path.split('/').filter((name) => name !== '');
      const userLinkId = await links.findByName(userId, linkName, memberOid);
      if (userLinkId === undefined) throw appError('INVALID_LINK_URI', {});
      const linkUri = linkUriOf(userLinkId, `/${names.join('/')}`);
      const item = await openItem(links, userId, linkUri, memberOid);
      if (isRoot(item)) return { item: await stat(item, signal), ancestors: [] };
      const { folder, name } = placeOf(item);
      const stored = await listings.findEntry(userLinkId, folder, name);
      const found = stored ? shownOf(item, parentUri(linkUri) ?? '', stored) : await stat(item, signal);
      const ancestors = [rootItem(userLinkId, item.name)];
      let above = '/';
      for (const folderName of names.slice(0, -1)) {
        ancestors.push(itemOf(linkUriOf(userLinkId, above), { name: folderName, kind: 'folder' }));
        above = joinPath(above, folderName);
      }
      return { item: found, ancestors };
    },

    /** Sizes of the folders in a folder, as far as the stored listings know them whole. */
    async folderSizes(userId: string, { linkUri, memberOid }: Input<typeof folderSizes>): Promise<ReplyOf<typeof folderSizes>> {
      const { userLinkId, path } = await openItem(links, userId, linkUri, memberOid);
      const known = await listings.folderSizes(userLinkId, path);
      return { folders: known.map(({ name, size }) => ({ linkUri: linkUriOf(userLinkId, joinPath(path, name)), size })) };
    },

    /** The item's current state at the source. */
    async metadata(userId: string, { linkUri, memberOid }: Input<typeof getMetadata>, signal: AbortSignal): Promise<Item> {
      return stat(await openItem(links, userId, linkUri, memberOid), signal);
    },
  };
}
