import { createKeyedLimiter, joinPath } from '@sheaf/connectors';
import { type Found, type FoundItem, type InputOf, type SearchedLink, foldName, linkUriOf, mostFound, type search } from '@sheaf/contract';
import { itemOf } from '#/files/items/items.ts';
import type { ReadableFolder } from '#/files/listings/rows/readable.ts';
import { isEmpty, parseQuery } from './parse-query.ts';
import { ranked } from './rank.ts';
import type { Bounds, Candidate, Knowledge, Looked, SearchStore } from './store.ts';

/** A link that a user may read, and the stored listings that tell of it. */
export interface Reachable {
  readonly userLinkId: string;
  readonly name: string;
  readonly memberOid?: string;
  readonly folders: readonly ReadableFolder[];
}

interface Deps {
  readonly store: SearchStore;
  /** Links that the user may read now. */
  readonly reachable: (userId: string) => Promise<readonly Reachable[]>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Counting the folders of a large link takes a scan of milliseconds; it is repeated after this time, ms. */
const countedFor = 5000;
/** Folders of a link that are counted anew for each answer, so that a folder counts as soon as it has been opened. */
const countedAtOnce = 2000;
const mostCounted = 1000;
/** Searches of one account at a time: all accounts share one thread for long selects. */
const searchesAtOnce = 1;
/** Entries that one search compares, over all links: a fraction of a second. Of more, the answer says that only a part was looked through. */
const mostCost = 1_000_000;
/** Milliseconds after which a search stops on a slow disk or a busy machine, and says that only a part was looked through. */
const mostTime = 2000;

type Wish = Omit<InputOf<typeof search>, 'rTag'>;
export type Search = ReturnType<typeof createSearch>;

/** Search by name over everything that a user may read. */
export function createSearch({ store, reachable, now }: Deps) {
  const limiter = createKeyedLimiter(searchesAtOnce);
  const counted = new Map<string, { readonly at: number; readonly knowledge: Knowledge }>();

  async function knowledgeOf({ userLinkId, folders }: Reachable): Promise<Knowledge> {
    const known = counted.get(userLinkId);
    if (known && now() - known.at < countedFor) return known.knowledge;
    const parts = await Promise.all(folders.map((folder) => store.knowledge(folder)));
    // A Space is known from the member's own listings and from those of its storage; the fuller ones count.
    const knowledge = parts.reduce((best, part) => (part.known > best.known ? part : best));
    if (counted.size >= mostCounted) counted.clear();
    if (knowledge.known > countedAtOnce) counted.set(userLinkId, { at: now(), knowledge });
    return knowledge;
  }

  async function find(userId: string, { query: text, userLinkId: only, offset, limit }: Wish, signal: AbortSignal): Promise<Found> {
    const query = parseQuery(text);
    const links = (await reachable(userId)).filter(
      ({ userLinkId, name }) => (only === undefined || userLinkId === only) && query.links.every((part) => foldName(name).includes(part)),
    );
    const owner = new Map<Candidate, Reachable>();
    const searched: SearchedLink[] = [];
    let left = mostCost;
    const until = performance.now() + mostTime;
    for (const [at, link] of links.entries()) {
      signal.throwIfAborted();
      // What earlier links have not used is for those that follow.
      const bounds = { limit: mostFound + 1, cost: Math.max(0, left) / (links.length - at), until, signal };
      const { found, cost, isPartial } = isEmpty(query) ? nothing : await candidatesOf(store, link, query, bounds);
      left -= cost;
      const isCut = found.length > mostFound;
      for (const candidate of found.slice(0, mostFound)) owner.set(candidate, link);
      const { known, total, oldest } = await knowledgeOf(link);
      searched.push({
        userLinkId: link.userLinkId,
        name: link.name,
        ...(link.memberOid !== undefined && { memberOid: link.memberOid }),
        ...(!isCut && !isPartial && { found: found.length }),
        ...(isPartial && { isPartial }),
        foldersKnown: known,
        foldersTotal: total,
        ...(oldest !== undefined && { oldestLook: oldest }),
      });
    }
    const all = ranked([...owner.keys()], query.words);
    const isCounted = searched.every(({ found }) => found !== undefined);
    return {
      items: all.slice(offset, offset + limit).map((candidate) => foundItem(owner.get(candidate)?.userLinkId ?? '', candidate)),
      ...(isCounted && { total: all.length }),
      hasMore: offset + limit < all.length,
      ...(searched.some(({ isPartial }) => isPartial) && { isPartial: true }),
      links: searched,
    };
  }

  return {
    /** A page of the items that answer the query, best first. Waits for the account's earlier searches; one whose user has left is not made. */
    find: (userId: string, wish: Wish, signal: AbortSignal): Promise<Found> =>
      limiter.run(userId, signal, () => find(userId, wish, signal)),
  };
}

const nothing: Looked = { found: [], cost: 0, isPartial: false };

/** Entries of a link that answer the query, each once; one more than are ranked when there are more. */
async function candidatesOf(
  store: SearchStore,
  { folders }: Reachable,
  query: ReturnType<typeof parseQuery>,
  { cost, ...bounds }: Bounds,
): Promise<Looked> {
  const found = new Map<string, Candidate>();
  let used = 0;
  let isPartial = false;
  for (const [at, folder] of folders.entries()) {
    const looked = await store.candidates(folder, query, { ...bounds, cost: Math.max(0, cost - used) / (folders.length - at) });
    used += looked.cost;
    isPartial ||= looked.isPartial;
    for (const candidate of looked.found) {
      const { entry } = candidate;
      const key = `${entry.kind}:${joinPath(candidate.folder, entry.name)}`;
      if (!found.has(key)) found.set(key, candidate);
    }
  }
  return { found: [...found.values()], cost: used, isPartial };
}

const foundItem = (userLinkId: string, { entry, folder }: Candidate): FoundItem => ({
  ...itemOf(linkUriOf(userLinkId, folder), entry),
  userLinkId,
  folder,
});
