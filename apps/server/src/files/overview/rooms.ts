import { allInParallel } from '@sheaf/connectors';
import { AppError, type ReplyOf, type linkRooms } from '@sheaf/contract';
import type { Links } from '#/files/items/open-item.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Reachable } from './reachable.ts';
import type { OverviewStore } from './store.ts';

interface Deps {
  readonly store: OverviewStore;
  readonly links: Pick<Links, 'open'>;
  readonly reachable: (userId: string) => Promise<readonly Reachable[]>;
  readonly background: Pick<Background, 'start'>;
  readonly now: Clock;
}

/** Seconds after which a source is asked again. */
const trustFor = 900;
/** Sources of one user that are asked at the same time. */
const askedAtOnce = 4;
/** Milliseconds that a source has for its answer. */
const patience = 20_000;

/** Room at the sources of a user's links: what they last told, at once, while those asked long ago are asked again. */
export function createRooms({ store, links, reachable, background, now }: Deps) {
  const asking = new Set<string>();

  async function ask(userId: string, linkId: string): Promise<void> {
    try {
      const { connector } = await links.open(userId, linkId);
      await store.asked(linkId, now(), await connector.usage?.({ signal: AbortSignal.timeout(patience) }));
    } catch (error) {
      // The link's own state shows the problem; the last known room stays.
      if (!(error instanceof AppError)) throw error;
      await store.asked(linkId, now(), undefined);
    }
  }

  async function askAll(userId: string, linkIds: readonly string[]): Promise<void> {
    try {
      await allInParallel(linkIds, askedAtOnce, (linkId) => ask(userId, linkId));
    } finally {
      for (const linkId of linkIds) asking.delete(linkId);
    }
  }

  return async (userId: string): Promise<ReplyOf<typeof linkRooms>> => {
    // A Space has no room of its own: it uses that of its storage.
    const ids = (await reachable(userId)).flatMap(({ userLinkId, folders }) => (folders.length === 1 ? [userLinkId] : []));
    const rows = await store.rooms(ids);
    const known = new Map(rows.map((row) => [row.linkId, row]));
    const due = ids.filter((id) => now() - (known.get(id)?.askedAt ?? -Infinity) >= trustFor && !asking.has(id));
    if (due.length > 0) {
      for (const id of due) asking.add(id);
      background.start('ask for room', () => askAll(userId, due));
    }
    const rooms = rows.flatMap(({ linkId, used, total, toldAt }) =>
      used === null || toldAt === null ? [] : [{ userLinkId: linkId, used, ...(total !== null && { total }), at: toldAt }],
    );
    return { rooms, isAsking: ids.some((id) => asking.has(id)) };
  };
}
