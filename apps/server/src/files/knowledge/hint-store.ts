import { sql } from 'kysely';
import type { OpenDatabase } from '#/platform/db/database.ts';
import type { DueLink } from './store.ts';

/** A link's subscription; times are epoch milliseconds. */
export interface StoredHint {
  readonly handle: string | undefined;
  readonly refusals: number;
  readonly renewAt: number;
}

export type HintStore = ReturnType<typeof createHintStore>;

/** Store of the subscriptions of links to hints, and of the links that a hint concerns. */
export function createHintStore({ db }: Pick<OpenDatabase, 'db'>) {
  /** Links of these accounts at the provider. */
  async function linksOfIdentities(provider: string, identities: readonly string[]): Promise<string[]> {
    if (identities.length === 0) return [];
    const rows = await db
      .selectFrom('link')
      .select('id')
      .where('provider', '=', provider)
      .where('identity', 'in', [...new Set(identities)])
      .execute();
    return rows.map(({ id }) => id);
  }

  return {
    /** Links whose source reports changes, and whose subscription is to be made or renewed. */
    async due(now: number, limit: number): Promise<Pick<DueLink, 'linkId' | 'dueAt'>[]> {
      const rows = await db
        .selectFrom('link_knowledge as k')
        .innerJoin('link', 'link.id', 'k.linkId')
        .leftJoin('link_hint as h', 'h.linkId', 'k.linkId')
        .select(['k.linkId', 'h.renewAt'])
        .where('k.feedAt', 'is not', null)
        .where('link.state', '!=', 'attention')
        .where((eb) => eb.or([eb('h.renewAt', 'is', null), eb('h.renewAt', '<=', now)]))
        .orderBy('k.usedAt', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ linkId, renewAt }) => ({ linkId, dueAt: renewAt ?? 0 }));
    },

    async find(linkId: string): Promise<StoredHint | undefined> {
      const row = await db
        .selectFrom('link_hint')
        .select(['handle', 'refusals', 'renewAt'])
        .where('linkId', '=', linkId)
        .executeTakeFirst();
      return row && { ...row, handle: row.handle ?? undefined };
    },

    /** Nothing happens when the link is gone. */
    async save(
      linkId: string,
      change: {
        readonly renewAt: number;
        readonly secretHash?: string | null;
        readonly handle?: string | null;
        readonly expiresAt?: number | null;
        readonly refusals?: number;
      },
    ): Promise<void> {
      await sql`insert into link_hint ("linkId", "renewAt", refusals) select id, 0, 0 from link where id = ${linkId}
        on conflict do nothing`.execute(db);
      await db.updateTable('link_hint').set(change).where('linkId', '=', linkId).execute();
    },

    /** Links of these subscriptions, and all others of the same accounts at the provider: some services tell only one link of each account. */
    async linksOfSecrets(provider: string, hashes: readonly string[]): Promise<{ linkId: string; isSubscribed: boolean }[]> {
      if (hashes.length === 0) return [];
      const named = await db
        .selectFrom('link_hint')
        .innerJoin('link', 'link.id', 'link_hint.linkId')
        .select(['link.id', 'link.identity'])
        .where('link.provider', '=', provider)
        .where('link_hint.secretHash', 'in', hashes)
        .execute();
      const subscribed = new Set(named.map(({ id }) => id));
      const all = await linksOfIdentities(
        provider,
        named.map(({ identity }) => identity),
      );
      return all.map((linkId) => ({ linkId, isSubscribed: subscribed.has(linkId) }));
    },

    linksOfIdentities,

    /**
     * Plans a question for the changes of each link whose source reports any: now, or `pause` milliseconds after the one that an earlier hint led to.
     * Returns when; undefined where one is planned already.
     */
    async plan(linkId: string, now: number, pause: number): Promise<number | undefined> {
      const { rows } = await sql<{ hintedAt: number }>`update link_knowledge
        set "hintedAt" = case when "hintedAt" is null or "hintedAt" + ${sql.lit(pause)} < ${now} then cast(${now} as bigint)
          else "hintedAt" + ${sql.lit(pause)} end
        where "linkId" = ${linkId} and "feedAt" is not null and refusals = 0 and ("hintedAt" is null or "hintedAt" <= ${now})
        returning "hintedAt"`.execute(db);
      const [row] = rows;
      return row && Number(row.hintedAt);
    },
  };
}
