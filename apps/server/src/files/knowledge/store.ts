import { sql } from 'kysely';
import { gonePrefix, pathKeyOf } from '#/files/listings/rows/folder-rows.ts';
import { spacesProvider } from '#/links/connections/spaces-provider.ts';
import type { OpenDatabase } from '#/platform/db/database.ts';
import { createRead } from '#/platform/db/read.ts';

/** A link that is due, and the account that owns it. */
export interface DueLink {
  readonly linkId: string;
  readonly accountId: string;
  readonly dueAt: number;
}

/** What is stored of a link besides its folders; times are epoch milliseconds. */
export interface LinkKnowledge {
  readonly accountId: string;
  readonly provider: string;
  /** Whether its source needs the owner. */
  readonly needsAttention: boolean;
  /** Whether the owner's account can be used. */
  readonly isUsable: boolean;
  readonly isOfOrganisation: boolean;
  /** What the owner has said; undefined when they have not. */
  readonly isWanted: boolean | undefined;
  readonly usedAt: number;
  readonly nextAt: number;
  readonly refusals: number;
  readonly reason: string | undefined;
  readonly cursor: string | undefined;
  readonly feedAt: number | undefined;
  /** When a hint leads to the next question for changes, or led to the last one. */
  readonly hintedAt: number | undefined;
  /** When changes were last asked for. */
  readonly askedAt: number | undefined;
  readonly staleBefore: number;
  readonly tree: string | undefined;
}

/** Milliseconds for which a folder that was refused is not asked for again. */
const refusedFor = 7 * 86_400_000;
/** Kind of accounts that are organisations. */
const organisation = 'organisation';

export type KnowledgeStore = ReturnType<typeof createKnowledgeStore>;

/** Store of Sheaf's own reading of folders: settings, progress and refusals of each link. */
export function createKnowledgeStore(database: Pick<OpenDatabase, 'db' | 'sqlite' | 'aside'>) {
  const { db } = database;
  /** Looking for unknown folders scans those of the link. */
  const read = database.aside?.read ?? createRead(database);

  /** Links whose time has come, the newest use first. Spaces are known from their storage, and links that need attention are left alone. */
  const dueBy = (onlyAsked: boolean) =>
    db
      .selectFrom('link')
      .leftJoin('link_knowledge as k', 'k.linkId', 'link.id')
      .innerJoin('account', 'account.id', 'link.accountId')
      .select(['link.id as linkId', 'link.accountId'])
      .where('link.provider', '!=', spacesProvider)
      .where('link.state', '!=', 'attention')
      .where('account.disabledAt', 'is', null)
      .where('account.closesAt', 'is', null)
      .where((eb) =>
        onlyAsked
          ? eb('k.isWanted', '=', 1)
          : eb.or([eb('k.isWanted', '=', 1), eb.and([eb('k.isWanted', 'is', null), eb('account.kind', '=', 'person')])]),
      )
      .orderBy((eb) => eb.fn.coalesce('k.usedAt', sql<number>`0`), 'desc');

  return {
    /** Links of which folders are to be read. `onlyAsked`: only those whose owner has asked for it. */
    async due(now: number, createdBefore: number, limit: number, onlyAsked = false): Promise<DueLink[]> {
      const rows = await dueBy(onlyAsked)
        .select('k.nextAt')
        .where('link.createdAt', '<=', Math.floor(createdBefore / 1000))
        .where((eb) => eb.or([eb('k.nextAt', 'is', null), eb('k.nextAt', '<=', now)]))
        .limit(limit)
        .execute();
      return rows.map(({ nextAt, ...row }) => ({ ...row, dueAt: nextAt ?? 0 }));
    },

    /** Links whose sources are to be asked for changes. */
    async dueFeeds(now: number, limit: number, onlyAsked = false): Promise<DueLink[]> {
      const rows = await dueBy(onlyAsked).select('k.feedAt').where('k.feedAt', '<=', now).limit(limit).execute();
      return rows.map(({ feedAt, ...row }) => ({ ...row, dueAt: feedAt ?? 0 }));
    },

    /** Undefined when the link is gone. */
    async find(linkId: string): Promise<LinkKnowledge | undefined> {
      const row = await db
        .selectFrom('link')
        .innerJoin('account', 'account.id', 'link.accountId')
        .leftJoin('link_knowledge as k', 'k.linkId', 'link.id')
        .select(['link.accountId', 'link.provider', 'link.state', 'account.kind', 'account.disabledAt', 'account.closesAt'])
        .select(['k.isWanted', 'k.usedAt', 'k.nextAt', 'k.refusals', 'k.reason', 'k.cursor', 'k.feedAt', 'k.staleBefore', 'k.tree'])
        .select(['k.hintedAt', 'k.askedAt'])
        .where('link.id', '=', linkId)
        .executeTakeFirst();
      if (!row) return undefined;
      const { state, kind, disabledAt, closesAt, isWanted, ...rest } = row;
      return {
        accountId: rest.accountId,
        provider: rest.provider,
        needsAttention: state === 'attention',
        isUsable: disabledAt === null && closesAt === null,
        isOfOrganisation: kind === organisation,
        isWanted: isWanted === null ? undefined : isWanted === 1,
        usedAt: rest.usedAt ?? 0,
        nextAt: rest.nextAt ?? 0,
        refusals: rest.refusals ?? 0,
        reason: rest.reason ?? undefined,
        cursor: rest.cursor ?? undefined,
        feedAt: rest.feedAt ?? undefined,
        hintedAt: rest.hintedAt ?? undefined,
        askedAt: rest.askedAt ?? undefined,
        staleBefore: rest.staleBefore ?? 0,
        tree: rest.tree ?? undefined,
      };
    },

    /** Notes that a user looks into the link, which becomes due; returns whether its source is asked for changes. Nothing happens when the link is gone. */
    async used(linkId: string, usedAt: number): Promise<boolean> {
      const { rows } = await sql<{
        feedAt: number | null;
      }>`insert into link_knowledge ("linkId", "usedAt", "nextAt", refusals, "staleBefore")
        select id, cast(${usedAt} as bigint), cast(${usedAt} as bigint), 0, 0 from link where id = ${linkId}
        on conflict ("linkId") do update set "usedAt" = excluded."usedAt",
          "nextAt" = case when link_knowledge.refusals > 0 or link_knowledge."nextAt" < excluded."nextAt" then link_knowledge."nextAt" else excluded."nextAt" end,
          "feedAt" = case when link_knowledge.refusals > 0 or link_knowledge."feedAt" < excluded."nextAt" then link_knowledge."feedAt"
            when link_knowledge."feedAt" is null then null else excluded."nextAt" end
        returning "feedAt"`.execute(db);
      return typeof rows[0]?.feedAt === 'number';
    },

    async save(
      linkId: string,
      change: {
        readonly isWanted?: number;
        readonly nextAt?: number;
        readonly refusals?: number;
        readonly reason?: string | null;
        readonly cursor?: string | null;
        readonly feedAt?: number | null;
        readonly askedAt?: number;
        readonly staleBefore?: number;
        readonly tree?: string | null;
      },
    ): Promise<void> {
      await sql`insert into link_knowledge ("linkId", "usedAt", "nextAt", refusals, "staleBefore") select id, 0, 0, 0, 0 from link where id = ${linkId}
        on conflict do nothing`.execute(db);
      await db.updateTable('link_knowledge').set(change).where('linkId', '=', linkId).execute();
    },

    /** Folders that listings name and nobody has listed, those of the newest listings first; the root before any other. */
    async unknown(linkId: string, now: number, limit: number): Promise<string[]> {
      const path = sql`(case when f.path = '/' then '' else f.path end) || '/' || e.name`;
      const isKnown = (key: ReturnType<typeof sql>) => sql`exists (select 1 from listing_folder k
        where k."linkId" = ${linkId} and k."pathKey" = ${key} and k."listedAt" is not null)`;
      const isRefused = (key: ReturnType<typeof sql>) => sql`exists (select 1 from knowledge_refusal r
        where r."linkId" = ${linkId} and r."pathKey" = ${key} and r."refusedAt" > ${now - refusedFor})`;
      const isVault = (at: ReturnType<typeof sql>) => sql`exists (select 1 from encryption_folder v
        where v."linkId" = ${linkId} and (v.path = '/' or v.path = ${at} or substr(${at}, 1, length(v.path) + 1) = v.path || '/'))`;
      const [root] = await read<{ known: number }>(
        sql<{
          known: number;
        }>`select case when ${isKnown(sql`'/'`)} or ${isRefused(sql`'/'`)} or ${isVault(sql`'/'`)} then 1 else 0 end as known`.compile(db),
      );
      if (root?.known !== 1) return ['/'];
      const rows = await read<{ path: string }>(
        sql<{ path: string }>`select ${path} as path from listing_folder f join listing_entry e on e."folderId" = f.id and e."isFile" = 0
          where f."linkId" = ${linkId} and f."listedAt" is not null and substr(f."pathKey", 1, ${sql.lit(gonePrefix.length)}) <> ${sql.lit(gonePrefix)}
            and length(${path}) <= 300 and not ${isKnown(path)} and not ${isRefused(path)} and not ${isVault(path)}
          order by f."listedAt" desc limit ${limit}`.compile(db),
      );
      return rows.map((row) => row.path);
    },

    /** Known folders that were listed before then: the oldest first, or, where each stands for its whole tree, the highest first. */
    async oldest(linkId: string, before: number, limit: number, asTrees = false): Promise<string[]> {
      const rows = await db
        .selectFrom('listing_folder')
        .select('path')
        .where('linkId', '=', linkId)
        .where('listedAt', '<', before)
        .orderBy(asTrees ? sql`length(path)` : sql`"listedAt"`)
        .limit(limit)
        .execute();
      return rows.map(({ path }) => path);
    },

    async isListed(linkId: string, path: string): Promise<boolean> {
      const row = await db
        .selectFrom('listing_folder')
        .select('id')
        .where('linkId', '=', linkId)
        .where('pathKey', '=', pathKeyOf(path))
        .where('listedAt', 'is not', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Folders of the link that only Sheaf has looked into. */
    async countUnopened(linkId: string): Promise<number> {
      const [row] = await read<{ count: number }>(
        sql<{ count: number }>`select cast(count(*) as bigint) as count from listing_folder
          where "linkId" = ${linkId} and "isUnopened" = 1 and "listedAt" is not null`.compile(db),
      );
      return Number(row?.count ?? 0);
    },

    async refuse(linkId: string, path: string, refusedAt: number): Promise<void> {
      await db
        .insertInto('knowledge_refusal')
        .values({ linkId, pathKey: pathKeyOf(path), refusedAt })
        .onConflict((conflict) => conflict.columns(['linkId', 'pathKey']).doUpdateSet({ refusedAt }))
        .execute();
    },
  };
}
