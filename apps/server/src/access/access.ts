import { isDeepStrictEqual } from 'node:util';
import { type Layer, allInParallel, follow, layered } from '@sheaf/connectors';
import { AppError, type SpaceRole, appError, mayInOrg, mayInSpace, orgRoles, spaceRoles } from '@sheaf/contract';
import type { Connections, OpenLink } from '#/links/connections/connections.ts';
import { endingWith } from '#/links/connections/ending.ts';
import { spacesProvider } from '#/links/connections/spaces-provider.ts';
import { lookupsAtOnce } from '#/platform/db/database.ts';
import type { AccessStore } from './access-store.ts';
import { scoped } from './scoped.ts';
import { spaceError } from './space-errors.ts';

/** Subscriptions, as far as access depends on them. */
export interface Subscribed {
  /** Whether Premium or its trial is running. */
  hasPremium(accountId: string): Promise<boolean>;
  /** Whether the organisation's plan or its trial is running. */
  hasOrgPlan(orgId: string): Promise<boolean>;
}

interface Deps {
  readonly store: AccessStore;
  readonly connections: Pick<Connections, 'open' | 'findByName'>;
  readonly subscribed: Subscribed;
  /** Epoch seconds. */
  readonly now: () => number;
  /** Most cached rights; evicts the one that was looked up longest ago. */
  readonly most?: number;
}

/** Seconds for which a user's access to a link is cached. */
const trustFor = 2;
const usualMost = 10_000;

/** How a user may access a link: as its owner (or through the owning organisation), or as a member of a Space. */
type Right =
  | { readonly kind: 'link'; readonly ownerId: string }
  | {
      readonly kind: 'space';
      /** The member's name for it. */
      readonly name: string;
      readonly role: SpaceRole;
      readonly space: NonNullable<Awaited<ReturnType<AccessStore['space']>>>;
    };
type SpaceRight = Extract<Right, { kind: 'space' }>;

/** A link that a user may read, and the folders of links whose stored listings tell of it. */
interface ReachableLink {
  readonly userLinkId: string;
  readonly name: string;
  readonly memberOid?: string;
  readonly folders: readonly { readonly linkId: string; readonly path: string }[];
}

/** A cached right, and what was opened by it. */
interface Way {
  readonly userId: string;
  readonly userLinkId: string;
  right: Right;
  /** Aborts when the right has ended or changed. */
  readonly end: AbortController;
  at: number;
  /** Calls, listings and bodies that run by it. */
  running: number;
  opened?: { readonly storage: OpenLink; readonly link: OpenLink } | undefined;
}

const keyOf = ({ userId, userLinkId }: Pick<Way, 'userId' | 'userLinkId'>): string => `${userId} ${userLinkId}`;

/** Whether a change of the account's rights or belongings may affect this entry. */
const concerns = ({ userId, right }: Way, accountId: string): boolean =>
  userId === accountId || (right.kind === 'link' ? right.ownerId : right.space.ownerId) === accountId;

/** Whether both allow the same: the name does not matter. */
const isSame = (one: Right, other: Right): boolean => isDeepStrictEqual({ ...one, name: '' }, { ...other, name: '' });

export type Access = ReturnType<typeof createAccess>;

/**
 * Opens links for a user: their own, those of their organisations, and Spaces, limited to the folder and to their role. Everything that reads or
 * changes content goes through here. Rejects with AppError.
 */
export function createAccess({ store, connections, subscribed, now, most = usualMost }: Deps) {
  const ways = new Map<string, Way>();
  /** Ways by which something runs although they are no longer cached: it must end with the right all the same. */
  const adrift = new Set<Way>();
  /** Counts changes of rights: the result of a lookup that began before one is not cached. */
  let changes = 0;

  async function find(userId: string, userLinkId: string): Promise<Right> {
    const link = await store.link(userId, userLinkId);
    if (!link) throw appError('INVALID_LINK_URI', {});
    const { ownerId, ownerName, provider, name } = link;
    if (link.disabledAt !== null) throw appError('ACCOUNT_DISABLED', {});
    if (ownerId !== userId && !(await subscribed.hasOrgPlan(ownerId))) throw appError('ORG_EXPIRED', { organisation: ownerName });
    if (provider !== spacesProvider) return { kind: 'link', ownerId };
    const space = await store.space(userId, userLinkId);
    if (!space) throw appError('INVALID_LINK_URI', {});
    const { ownerName: owner } = space;
    if (space.disabledAt !== null) throw appError('SPACE_TROUBLE', { owner, name });
    if (!(await subscribed.hasPremium(space.ownerId)))
      throw space.ownerId === userId ? appError('SPACE_EXPIRED_OWN', { name }) : appError('SPACE_EXPIRED', { owner, name });
    return { kind: 'space', name, role: spaceRoles.find((role) => role === space.role) ?? 'viewer', space };
  }

  function end(key: string): void {
    ways.get(key)?.end.abort();
    ways.delete(key);
    for (const way of adrift) if (keyOf(way) === key) way.end.abort();
  }

  /** Ends what runs by an earlier way that allowed something else. */
  function endOthers(key: string, right: Right): void {
    for (const way of adrift) if (keyOf(way) === key && !isSame(way.right, right)) way.end.abort();
  }

  /** Counts what runs by a way. */
  const counted =
    (way: Way): Layer =>
    async (call, next) => {
      way.running++;
      if (ways.get(keyOf(way)) !== way) adrift.add(way);
      const ended = (): void => {
        if (--way.running === 0) adrift.delete(way);
      };
      try {
        return follow(await next(call.signal), { ended });
      } catch (error) {
        ended();
        throw error;
      }
    };

  async function wayTo(userId: string, userLinkId: string): Promise<Way> {
    const key = keyOf({ userId, userLinkId });
    const known = ways.get(key);
    if (known && now() - known.at < trustFor) return known;
    const before = changes;
    try {
      const right = await find(userId, userLinkId);
      endOthers(key, right);
      const current = ways.get(key);
      if (current && isSame(current.right, right)) {
        if (!isDeepStrictEqual(current.right, right)) {
          // New openings get the new name; running work goes on.
          current.right = right;
          current.opened = undefined;
        }
        if (before !== changes) return await wayTo(userId, userLinkId);
        current.at = now();
        // The last to be evicted.
        if (ways.delete(key)) ways.set(key, current);
        return current;
      }
      // Always kept, because what is opened by it has to end with it.
      const way: Way = { userId, userLinkId, right, end: new AbortController(), at: before === changes ? now() : -Infinity, running: 0 };
      remember(key, way);
      // The lookup may have seen the rights before the change.
      return before === changes ? way : await wayTo(userId, userLinkId);
    } catch (error) {
      // A failed lookup does not end a right.
      if (error instanceof AppError) end(key);
      throw error;
    }
  }

  function remember(key: string, way: Way): void {
    ways.get(key)?.end.abort();
    ways.delete(key);
    const [oldest] = ways.values();
    if (ways.size >= most && oldest) {
      ways.delete(keyOf(oldest));
      if (oldest.running > 0) adrift.add(oldest);
    }
    ways.set(key, way);
  }

  /** Ends running work with the right, and reports the lost right instead of the source's error. */
  const ending = ({ end: { signal }, right: before }: Way, userId: string, userLinkId: string) =>
    endingWith(signal, async (error) => {
      try {
        const right = await find(userId, userLinkId);
        const isLower = right.kind === 'space' && before.kind === 'space' && right.role !== before.role;
        return isLower ? appError('ROLE_FORBIDS', { name: right.name }, error) : error;
      } catch (reason) {
        return reason instanceof AppError ? reason : error;
      }
    });

  /** The user's own link, or one of their organisation's, whose running work ends with the membership. */
  async function openOwned(way: Way, ownerId: string, userId: string, userLinkId: string): Promise<OpenLink> {
    const storage = await connections.open(ownerId, userLinkId);
    if (ownerId === userId) return storage;
    if (way.opened?.storage !== storage)
      way.opened = { storage, link: { ...storage, connector: layered(storage.connector, counted(way), ending(way, userId, userLinkId)) } };
    return way.opened.link;
  }

  async function openSpace(way: Way, { name, role, space }: SpaceRight, userId: string, userLinkId: string): Promise<OpenLink> {
    const { ownerName, ownerId, storageLinkId, storagePath } = space;
    const about = { name, ownerName, isOwner: ownerId === userId };
    const mapError = (error: unknown, path: string): unknown => spaceError(error, path, about);
    const storage = await openStorage(ownerId, storageLinkId).catch((error: unknown) => {
      throw mapError(error, '/');
    });
    if (way.opened?.storage === storage) return way.opened.link;
    const canWrite = mayInSpace(role, 'write');
    const connector = layered(
      scoped(storage.connector, { folder: storagePath, canWrite, mapError }),
      counted(way),
      ending(way, userId, userLinkId),
    );
    const stored = { userLinkId: storageLinkId, folder: storagePath };
    const link = { ...storage, userLinkId, name, stored, connector, ...(!canWrite && { isReadOnly: true as const }) };
    way.opened = { storage, link };
    return link;
  }

  /** The owner's storage of a Space: their own link or an organisation's, never another Space. */
  async function openStorage(ownerId: string, storageLinkId: string): Promise<OpenLink> {
    const way = await wayTo(ownerId, storageLinkId);
    if (way.right.kind === 'space') throw appError('INVALID_LINK_URI', {});
    return openOwned(way, way.right.ownerId, ownerId, storageLinkId);
  }

  return {
    async open(userId: string, userLinkId: string): Promise<OpenLink> {
      const way = await wayTo(userId, userLinkId);
      const { right } = way;
      return right.kind === 'link' ? openOwned(way, right.ownerId, userId, userLinkId) : openSpace(way, right, userId, userLinkId);
    },

    /** The links that the user may read now. A Space is known from the member's own listings and from those of its storage. */
    async reachable(userId: string): Promise<ReachableLink[]> {
      const links = await store.links(userId);
      const found = new Map<string, ReachableLink>();
      await allInParallel(links, lookupsAtOnce, async ({ id, name, membershipId }) => {
        try {
          const { right } = await wayTo(userId, id);
          const own = { linkId: id, path: '/' };
          if (right.kind === 'link') {
            found.set(id, { userLinkId: id, name, ...(membershipId !== null && { memberOid: membershipId }), folders: [own] });
            return;
          }
          const { ownerId, storageLinkId, storagePath } = right.space;
          if ((await wayTo(ownerId, storageLinkId)).right.kind === 'space') return;
          found.set(id, { userLinkId: id, name: right.name, folders: [own, { linkId: storageLinkId, path: storagePath }] });
        } catch (error) {
          // What cannot be opened cannot be searched.
          if (!(error instanceof AppError)) throw error;
        }
      });
      return links.flatMap(({ id }) => found.get(id) ?? []);
    },

    /** Whether the user may open the link now. Rejects only when that cannot be looked up. */
    async mayOpen(userId: string, userLinkId: string): Promise<boolean> {
      try {
        await wayTo(userId, userLinkId);
        return true;
      } catch (error) {
        if (error instanceof AppError) return false;
        throw error;
      }
    },

    /** Whether the user decides about the link: as its owner, or as one who manages the organisation's links. Rejects as `open` does. */
    async mayManage(userId: string, userLinkId: string): Promise<boolean> {
      const { right } = await wayTo(userId, userLinkId);
      if (right.kind === 'space') return false;
      if (right.ownerId === userId) return true;
      const role = (await store.link(userId, userLinkId))?.role;
      return orgRoles.some((known) => known === role && mayInOrg(known, 'links'));
    },

    /** Whether the user owns the link or may access it. */
    has: async (userId: string, userLinkId: string): Promise<boolean> => (await store.link(userId, userLinkId)) !== undefined,

    /** Whether the link leads to a space. Rejects as `open` does. */
    isSpace: async (userId: string, userLinkId: string): Promise<boolean> => (await wayTo(userId, userLinkId)).right.kind === 'space',

    /** Rejects with ROLE_FORBIDS unless the user may share items of the link publicly. */
    async checkShare(userId: string, userLinkId: string): Promise<void> {
      const { right } = await wayTo(userId, userLinkId);
      if (right.kind === 'space' && !mayInSpace(right.role, 'share')) throw appError('ROLE_FORBIDS', { name: right.name });
    },

    /**
     * Drops the user's cached rights, so that a change applies at once in this process. Ends running work of `gone`, a link to a Space or of an
     * organisation; everything else goes on.
     */
    forget(userId: string, gone?: string): void {
      changes++;
      for (const way of [...ways.values(), ...adrift]) {
        const key = keyOf(way);
        if (!key.startsWith(`${userId} `)) continue;
        if (key === `${userId} ${gone}` || (way.right.kind === 'link' && way.right.ownerId === gone)) end(key);
        else way.at = -Infinity;
      }
    },

    /**
     * Rechecks the rights of the account and of others to its links, or all rights: they may have changed on another instance. Ends running work
     * whose right has ended or changed.
     */
    async recheck(accountId?: string): Promise<void> {
      changes++;
      const affected = [...ways.values(), ...adrift].filter((way) => accountId === undefined || concerns(way, accountId));
      for (const way of affected) way.at = -Infinity;
      await allInParallel(affected, lookupsAtOnce, async ({ userId, userLinkId }) => {
        try {
          await wayTo(userId, userLinkId);
        } catch (error) {
          // The right no longer exists, and its running work has ended.
          if (!(error instanceof AppError)) throw error;
        }
      });
    },

    /**
     * The id of the link with exactly that name: the user's own, or with a membership the organisation's. Without one, also finds an organisation's
     * link if the name is unambiguous. Rejects with INVALID_LINK_URI for a membership of another user.
     */
    async findByName(userId: string, name: string, memberOid?: string): Promise<string | undefined> {
      if (memberOid === undefined || memberOid === '') {
        const own = await connections.findByName(userId, name);
        if (own !== undefined) return own;
        const [only, ...others] = await store.orgLinksNamed(userId, name);
        return others.length === 0 ? only : undefined;
      }
      const orgId = await store.orgOf(userId, memberOid);
      if (orgId === undefined) throw appError('INVALID_LINK_URI', {});
      return connections.findByName(orgId, name);
    },

    /** Rejects with INVALID_LINK_URI unless the link belongs to the organisation of that membership, and the membership to the user. */
    async checkMember(userId: string, memberOid: string, userLinkId: string): Promise<void> {
      const orgId = await store.orgOf(userId, memberOid);
      const link = await store.link(userId, userLinkId);
      if (orgId === undefined || link?.ownerId !== orgId) throw appError('INVALID_LINK_URI', {});
    },
  };
}
