import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Connector, type Entry, escapeXml, nameOf, parentOf } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';
import type { ListedPage, Listings } from '#/files/listings/service.ts';
import type { Window } from '#/serving/programs/windows.ts';
import { encodeName, hrefOf } from './address.ts';
import { type DavAnswer, DavError, xmlHead } from './answers.ts';
import { type Resource, type Wanted, asksQuota, responder } from './properties.ts';
import { type Locks, createLockFinder } from './state/locks.ts';
import type { PropertyStore } from './state/property-store.ts';
import type { RecentItems } from './state/recent-items.ts';
import { type ItemTarget, type Target, entryAt, within } from './targets.ts';

/** Entries that are read from the store at once. */
const pageSize = 10_000;
/** A stored listing older than this, in milliseconds, waits for the source: programs compare what they get. */
const freshFor = 60_000;
/** Milliseconds for which the space of a link is cached. */
const usageFor = 30_000;
/** Responses that are written to the connection at once, the smaller number of the first write, as the client waits for it, and their characters. */
const writtenAtOnce = 500;
const writtenFirst = 50;
const longestPiece = 512 * 1024;

interface Deps {
  readonly listings: Listings;
  readonly locks: Locks;
  readonly properties: PropertyStore;
  readonly recent: Pick<RecentItems, 'kindOf'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

type Usage = Resource['usage'];
const byName = { sort: 'name', order: 'asc', filter: '' } as const;
const folder: Entry = { name: '', kind: 'folder' };

/** PROPFIND (RFC 4918, section 9.1): from stored listings, which are refreshed meanwhile. */
export function createPropfind({ listings, locks, properties, recent, now }: Deps) {
  const usages = new Map<string, { readonly usage: Usage; readonly until: number }>();

  async function usageOf(linkId: string, connector: Connector, signal: AbortSignal): Promise<Usage> {
    const known = usages.get(linkId);
    if (known && known.until > now()) return known.usage;
    if (!connector.usage) return undefined;
    if (usages.size > 1000) usages.clear();
    try {
      const { used, total } = await connector.usage({ signal });
      const usage = { used, ...(total !== undefined && { available: Math.max(0, total - used) }) };
      usages.set(linkId, { usage, until: now() + usageFor });
      return usage;
    } catch (error) {
      // The space is an extra: the listing is answered without it.
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  /** The folder's first entries; undefined for a file. */
  async function firstPage({ item }: ItemTarget, signal: AbortSignal): Promise<ListedPage | undefined> {
    const place = { userId: item.userId, linkId: item.userLinkId, connector: item.connector, path: item.path };
    const slice = { view: byName, early: false, offset: 0, limit: pageSize };
    try {
      const page = await listings.firstPage(place, { ...slice, fresh: false, refresh: false }, signal);
      if (page.listedAt === undefined || now() - page.listedAt < freshFor) return page;
      return await listings.firstPage(place, { ...slice, fresh: true, refresh: true }, signal);
    } catch (error) {
      if (error instanceof AppError && error.messageCode === 'NOT_A_FOLDER') return undefined;
      throw error;
    }
  }

  async function* pages({ item }: ItemTarget, first: ListedPage, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
    yield first.entries;
    const place = { userId: item.userId, linkId: item.userLinkId, connector: item.connector, path: item.path };
    let offset = first.entries.length;
    for (let page = first; page.hasMore;) {
      page = await listings.page(place, { view: byName, early: false, offset, limit: pageSize }, signal);
      if (page.entries.length === 0) return;
      offset += page.entries.length;
      yield page.entries;
    }
  }

  const resource = (names: readonly string[], entry: Entry, more: Partial<Resource> = {}): Resource => ({
    names,
    entry,
    locks: [],
    dead: [],
    ...more,
  });

  /** The item alone. An address that is locked but names nothing yet counts as an empty file. */
  async function itself(target: ItemTarget, wanted: Wanted, signal: AbortSignal): Promise<Resource> {
    const { names, item, at } = target;
    const [own, dead, found] = await Promise.all([locks.covering(at), properties.of(at.linkId, at.path), entryAt(target, signal)]);
    const entry =
      found ?? (own.some(({ path }) => path === at.path) ? ({ name: nameOf(item.path), kind: 'file', size: 0 } as const) : undefined);
    if (!entry) throw new DavError(404);
    const usage = asksQuota(wanted) && entry.kind === 'folder' ? await usageOf(at.linkId, item.connector, signal) : undefined;
    return resource(names, entry, { locks: own, dead, usage });
  }

  async function* ofFolder(
    target: ItemTarget,
    first: ListedPage,
    wanted: Wanted,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Resource[]> {
    const { names, item, at } = target;
    const [held, dead, below] = await Promise.all([
      locks.onLink(at.linkId),
      properties.of(at.linkId, at.path),
      properties.inFolder(at.linkId, at.path),
    ]);
    const known = item.path === '/' ? undefined : await listings.findEntry(item.userLinkId, parentOf(item.path), nameOf(item.path));
    const usage = asksQuota(wanted) ? await usageOf(at.linkId, item.connector, signal) : undefined;
    const lockedAt = createLockFinder(held);
    yield [resource(names, { ...folder, ...known, kind: 'folder' }, { locks: lockedAt(at.path), dead, usage })];
    // Names are percent-encoded, which leaves nothing for XML to escape but what the folder's own address holds.
    const start = escapeXml(hrefOf(names, true));
    const isPlain = held.length === 0 && below.size === 0;
    // Names that are locked before anything has been stored there. davfs2 forgets a file that a listing of its folder leaves out.
    const locked = new Set(held.filter((lock) => lock.path !== '/' && parentOf(lock.path) === at.path).map((lock) => nameOf(lock.path)));
    for await (const entries of pages(target, first, signal))
      yield entries.map((entry) => {
        const href = `${start}${encodeName(entry.name)}${entry.kind === 'folder' ? '/' : ''}`;
        const own = [...names, entry.name];
        if (isPlain) return { names: own, href, entry, locks: [], dead: [], usage };
        const place = within(at, entry.name);
        locked.delete(entry.name);
        return { names: own, href, entry, locks: lockedAt(place.path), dead: below.get(place.path) ?? [], usage };
      });
    yield [...locked].map((name) =>
      resource([...names, name], { name, kind: 'file', size: 0 }, { locks: lockedAt(within(at, name).path), usage }),
    );
    // Not before: reading a large folder takes as long as answering from what is stored.
    await listings.refresh({ userId: item.userId, linkId: item.userLinkId, connector: item.connector, path: item.path });
  }

  /** Rejects before the first byte for what cannot be listed. */
  async function resourcesOf(
    target: Target,
    { isDeep, wanted, window, signal }: Asked,
  ): Promise<AsyncIterable<readonly Resource[]> | readonly (readonly Resource[])[]> {
    if (target.kind === 'root') {
      const places = target.places.map(({ name }) => resource([name], { name, kind: 'folder' }));
      return [[resource([], folder), ...(isDeep ? places : [])]];
    }
    if (target.kind === 'above') {
      const children = target.children.map((name) => resource([...target.names, name], { name, kind: 'folder' }));
      return [[resource(target.names, folder), ...(isDeep ? children : [])]];
    }
    if (!isDeep) return [[await itself(target, wanted, signal)]];
    // Stored rows may belong to a folder that a symbolic link leads to.
    if (window.isLimited) await target.item.connector.stat(target.item.path, { signal });
    // rclone looks at each file that it has stored as if it were a folder.
    if (recent.kindOf(target.at) === 'file') {
      const found = await itself(target, wanted, signal);
      if (found.entry.kind === 'file') return [[found]];
    }
    let first: ListedPage | undefined;
    try {
      first = await firstPage(target, signal);
    } catch (error) {
      if (!(error instanceof AppError) || error.messageCode !== 'ITEM_NOT_FOUND') throw error;
    }
    return first ? ofFolder(target, first, wanted, signal) : [[await itself(target, wanted, signal)]];
  }

  return async (target: Target, asked: Asked): Promise<DavAnswer> => {
    const resources = await resourcesOf(target, asked);
    const respond = responder(asked.wanted);
    async function* body(): AsyncGenerator<string> {
      yield `${xmlHead}<D:multistatus xmlns:D="DAV:">\n`;
      let piece: string[] = [];
      let length = 0;
      let most = writtenFirst;
      for await (const some of resources)
        for (const one of some) {
          const response = respond(one);
          piece.push(response);
          length += response.length;
          if (piece.length < most && length < longestPiece) continue;
          yield piece.join('');
          [piece, length, most] = [[], 0, writtenAtOnce];
          // Node sends written data only when the event loop turns.
          await nextTurn();
        }
      yield `${piece.join('')}</D:multistatus>`;
    }
    return { status: 207, body: body() };
  };
}

interface Asked {
  /** Whether the items of a folder are wanted too (Depth: 1). */
  readonly isDeep: boolean;
  readonly wanted: Wanted;
  readonly window: Window;
  readonly signal: AbortSignal;
}

/** The Depth of a PROPFIND: only 0 and 1, as the rest of a link may be endless. Throws 403 for infinity, which is also the default. */
export function isDeepOf(depth: string | undefined): boolean {
  if (depth === '0' || depth === '1') return depth === '1';
  if (depth === undefined || depth.toLowerCase() === 'infinity') throw new DavError(403, 'propfind-finite-depth');
  throw new DavError(400);
}
