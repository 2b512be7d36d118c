import { AppError, appError } from '@sheaf/contract';
import type { Connections, OpenLink } from './connections.ts';
import { narrowed } from './narrowed.ts';
import type { ReachStore } from './reach-store.ts';

/** Provider of the links that lead to spaces. */
export const spacesProvider = 'Spaces';

/** What an account has bought, as far as reaching things depends on it. */
export interface Subscribed {
  /** Whether Premium, or a trial of it, is running. */
  hasPremium(accountId: string): Promise<boolean>;
  /** Whether the organisation's plan, or a trial of it, is running. */
  hasOrgPlan(orgId: string): Promise<boolean>;
}

interface Deps {
  readonly store: ReachStore;
  readonly connections: Pick<Connections, 'open' | 'findByName'>;
  readonly subscribed: Subscribed;
  /** Epoch seconds. */
  readonly now: () => number;
}

/** Seconds for which a user's right to reach a link is not looked up again. */
const trustFor = 2;
/** Rights remembered; all are forgotten when there are more. */
const mostRemembered = 10_000;

/** How a user reaches a link: as its owner (or through the organisation that owns it), or as a member of a space. */
type Way =
  | { readonly kind: 'link'; readonly ownerId: string }
  | {
      readonly kind: 'space';
      readonly name: string;
      readonly space: NonNullable<Awaited<ReturnType<ReachStore['space']>>>;
    };

export type Reach = ReturnType<typeof createReach>;

/**
 * Opens whatever a user may reach: their own links, those of organisations they are a member of, and spaces, narrowed to the folder and to
 * what their role allows. Everything that reads or changes content goes through here. Rejects with AppError.
 */
export function createReach({ store, connections, subscribed, now }: Deps) {
  const ways = new Map<string, { readonly way: Way; readonly at: number }>();

  async function find(userId: string, userLinkId: string): Promise<Way> {
    const link = await store.link(userId, userLinkId);
    if (!link) throw appError('INVALID_LINK_URI', {});
    const { ownerId, ownerName, provider, name } = link;
    if (ownerId !== userId && !(await subscribed.hasOrgPlan(ownerId))) throw appError('ORG_EXPIRED', { name: ownerName });
    if (provider !== spacesProvider) return { kind: 'link', ownerId };
    const space = await store.space(userId, userLinkId);
    if (!space) throw appError('INVALID_LINK_URI', {});
    if (!(await subscribed.hasPremium(space.ownerId))) throw appError('SPACE_EXPIRED', { owner: space.ownerName, name: space.name });
    return { kind: 'space', name, space };
  }

  async function wayTo(userId: string, userLinkId: string): Promise<Way> {
    const key = `${userId} ${userLinkId}`;
    const known = ways.get(key);
    if (known && now() - known.at < trustFor) return known.way;
    ways.delete(key);
    const way = await find(userId, userLinkId);
    if (ways.size >= mostRemembered) ways.clear();
    ways.set(key, { way, at: now() });
    return way;
  }

  async function open(userId: string, userLinkId: string): Promise<OpenLink> {
    const way = await wayTo(userId, userLinkId);
    if (way.kind === 'link') return connections.open(way.ownerId, userLinkId);
    const { name, ownerName: owner, ownerId, storageLinkId, storagePath, role } = way.space;
    const told = (error: unknown): unknown => {
      if (!(error instanceof AppError)) return error;
      if (error.messageCode === 'INVALID_LINK_URI') return appError('SPACE_UNLINKED', { owner, name }, error);
      // What only the owner can put right is not explained to members.
      return ownersBusiness.has(error.messageCode) ? appError('SPACE_TROUBLE', { owner, name }, error) : error;
    };
    const storage = await open(ownerId, storageLinkId).catch((error: unknown) => {
      throw told(error);
    });
    const connector = narrowed(storage.connector, { folder: storagePath, canWrite: role !== 'viewer', told });
    return { ...storage, userLinkId, name: way.name, connector };
  }

  return {
    open,

    /** Whether the user has that link, or may reach it. */
    has: async (userId: string, userLinkId: string): Promise<boolean> => (await store.link(userId, userLinkId)) !== undefined,

    /** Forgets what is remembered of the user's rights, so that a change holds at once in this process. */
    forget(userId: string): void {
      for (const key of ways.keys()) if (key.startsWith(`${userId} `)) ways.delete(key);
    },

    /** The id of the link of exactly that name: the user's own, or with a membership the organisation's. Rejects with INVALID_LINK_URI for a membership that is not theirs. */
    async findByName(userId: string, name: string, memberOid?: string): Promise<string | undefined> {
      if (memberOid === undefined || memberOid === '') return connections.findByName(userId, name);
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

/** Refusals that are about the link, not about what a member asks of it. */
const ownersBusiness: ReadonlySet<string> = new Set([
  'APPLICATION_REFUSED',
  'AUTHORIZATION_NEEDED',
  'AUTH_TYPE_MISMATCH',
  'BUCKET_NOT_FOUND',
  'CANNOT_CONNECT',
  'CERTIFICATE_MISSING',
  'CERTIFICATE_NAME_MISMATCH',
  'HOST_KEY_CHANGED',
  'INVALID_CREDENTIALS',
  'INVALID_KEY',
  'INVALID_KEY_FILE',
  'INVALID_SIGNATURE',
  'ORG_EXPIRED',
  'WRONG_PASSPHRASE',
] satisfies AppError['messageCode'][]);
