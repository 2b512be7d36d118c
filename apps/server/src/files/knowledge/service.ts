import { type InputOf, type KnowledgeState, type LinkKnowledge, appError, type keepSearchable } from '@sheaf/contract';
import type { ReadableFolder } from '#/files/listings/rows/readable.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { Config } from '#/platform/config/config.ts';
import { idleAfter, isKept } from './rules.ts';
import type { LinkKnowledge as StoredKnowledge, KnowledgeStore } from './store.ts';
import type { Watch } from './watch.ts';

/** A link that a user may read, and the chain of links whose stored listings have its folders; the last one is at the source. */
interface Reachable {
  readonly userLinkId: string;
  readonly name: string;
  readonly folders: readonly ReadableFolder[];
}

interface Deps {
  readonly store: KnowledgeStore;
  readonly access: {
    reachable(userId: string): Promise<readonly Reachable[]>;
    mayManage(userId: string, userLinkId: string): Promise<boolean>;
  };
  readonly knowledge: (
    folder: ReadableFolder,
  ) => Promise<{ readonly known: number; readonly total: number; readonly oldest: number | undefined }>;
  readonly crawl: Config['crawl'];
  readonly watch: Pick<Watch, 'stop' | 'isAtWork'>;
  readonly listings: Pick<Listings, 'forgetUnopened'>;
  /** Has the link's service tell of no more changes. */
  readonly endHints: (linkId: string) => void;
  /** Gives the link to a worker soon. */
  readonly wake: (linkId: string) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export type Keeping = ReturnType<typeof createKeeping>;

/** What Sheaf knows of a link, and whether it looks into its folders by itself. */
export function createKeeping({ store, access, knowledge, crawl, watch, listings, wake, endHints, now }: Deps) {
  async function find(userId: string, userLinkId: string): Promise<Reachable & { readonly sourceId: string }> {
    const link = (await access.reachable(userId)).find((one) => one.userLinkId === userLinkId);
    const sourceId = link?.folders.at(-1)?.linkId;
    if (!link || sourceId === undefined) throw appError('INVALID_LINK_URI', {});
    return { ...link, sourceId };
  }

  function stateOf(link: StoredKnowledge, isComplete: boolean): KnowledgeState {
    if (!isKept(link, crawl)) return 'off';
    if (link.needsAttention) return 'attention';
    if (link.refusals > 0 && link.nextAt > now()) return 'refused';
    if (isComplete) return 'known';
    return link.usedAt + idleAfter > now() ? 'paused' : 'reading';
  }

  async function get(userId: string, userLinkId: string): Promise<LinkKnowledge> {
    const { folders, sourceId } = await find(userId, userLinkId);
    const [link, mayManage] = await Promise.all([store.find(sourceId), access.mayManage(userId, userLinkId)]);
    if (!link) throw appError('INVALID_LINK_URI', {});
    const parts = await Promise.all(folders.map(knowledge));
    const { known, total, oldest } = parts.reduce((best, part) => (part.known > best.known ? part : best));
    const state = stateOf(link, known > 0 && known >= total);
    return {
      isKept: isKept(link, crawl),
      mayChange: mayManage,
      isAllowed: crawl !== 'off',
      state,
      ...(state === 'refused' && { triesAgainAt: link.nextAt }),
      foldersKnown: known,
      foldersTotal: total,
      foldersUnopened: mayManage ? await store.countUnopened(sourceId) : 0,
      ...(oldest !== undefined && { oldestLook: oldest }),
    };
  }

  return {
    /** Rejects with INVALID_LINK_URI unless the user may read the link. */
    get,

    /** Whether this process looks into the link right now. */
    isAtWork: watch.isAtWork,

    /** Rejects with INVALID_LINK_URI, with ROLE_FORBIDS unless the user decides about the link, and with CRAWL_OFF. */
    async keep(userId: string, { userLinkId, isKept: wanted, forget }: InputOf<typeof keepSearchable>): Promise<LinkKnowledge> {
      const { name, sourceId } = await find(userId, userLinkId);
      if (!(await access.mayManage(userId, userLinkId))) throw appError('ROLE_FORBIDS', { name });
      if (wanted && crawl === 'off') throw appError('CRAWL_OFF', {});
      await store.save(sourceId, { isWanted: wanted ? 1 : 0, ...(wanted && { nextAt: now(), refusals: 0, reason: null }) });
      if (wanted) await wake(sourceId);
      else {
        watch.stop(sourceId);
        endHints(sourceId);
        if (forget) await listings.forgetUnopened(sourceId);
      }
      return get(userId, userLinkId);
    },
  };
}
