import { sql } from 'kysely';
import { gonePrefix, pathKeyOf } from '#/files/listings/rows/folder-rows.ts';
import { spacesProvider } from '#/links/connections/spaces-provider.ts';
import type { OpenDatabase } from '#/platform/db/database.ts';
import { createRead } from '#/platform/db/read.ts';

/** A link that is due, and the account that owns it. */
export interface DueLink {
  readonly linkId: string;
  readonly accountId: string;
  readonly nextAt: number;
}

/** Milliseconds for which a folder that was refused is not asked for again. */
const refusedFor = 7 * 86_400_000;

export type KnowledgeStore = ReturnType<typeof createKnowledgeStore>;

/** Store of what Sheaf does by itself to know the folders of links. Times are epoch milliseconds. */
export function createKnowledgeStore(database: Pick<OpenDatabase, 'db' | 'sqlite' | 'aside'>) {
  const { db } = database;
  /** Looking for unknown folders scans those of the link. */
  const read = database.aside?.read ?? createRead(database);

  return {
    /** Links whose time has come, the newest use first. Spaces are known from their storage, and links that need attention are left alone. */
    async due(now: number, createdBefore: number, limit: number): Promise<DueLink[]> {
      const rows = await db
        .selectFrom('link')
        .leftJoin('link_knowledge as k', 'k.linkId', 'link.id')
        .innerJoin('account', 'account.id', 'link.accountId')
        .select(['link.id as linkId', 'link.accountId', 'k.nextAt'])
        .where('link.provider', '!=', spacesProvider)
        .where('link.state', '!=', 'attention')
        .where('link.createdAt', '<=', Math.floor(createdBefore / 1000))
        .where('account.disabledAt', 'is', null)
        .where('account.closesAt', 'is', null)
        .where((eb) => eb.or([eb('k.nextAt', 'is', null), eb('k.nextAt', '<=', now)]))
        .orderBy((eb) => eb.fn.coalesce('k.usedAt', sql<number>`0`), 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ nextAt, ...row }) => ({ ...row, nextAt: nextAt ?? 0 }));
    },

    async find(linkId: string) {
      const row = await db.selectFrom('link_knowledge').selectAll().where('linkId', '=', linkId).executeTakeFirst();
      return row ?? { linkId, usedAt: 0, nextAt: 0, refusals: 0, cursor: null };
    },

    /** Notes that a user looks into the link, which becomes due. Nothing happens when the link is gone. */
    async used(linkId: string, usedAt: number): Promise<void> {
      await sql`insert into link_knowledge ("linkId", "usedAt", "nextAt", refusals) select id, cast(${usedAt} as bigint), cast(${usedAt} as bigint), 0 from link where id = ${linkId}
        on conflict ("linkId") do update set "usedAt" = excluded."usedAt", "nextAt" = case
          when link_knowledge.refusals > 0 or link_knowledge."nextAt" < excluded."nextAt" then link_knowledge."nextAt" else excluded."nextAt" end`.execute(
        db,
      );
    },

    async save(linkId: string, change: { readonly nextAt?: number; readonly refusals?: number; readonly cursor?: string }): Promise<void> {
      await sql`insert into link_knowledge ("linkId", "usedAt", "nextAt", refusals) select id, 0, 0, 0 from link where id = ${linkId}
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
      const [root] = await read<{ known: number }>(
        sql<{ known: number }>`select case when ${isKnown(sql`'/'`)} or ${isRefused(sql`'/'`)} then 1 else 0 end as known`.compile(db),
      );
      if (root?.known !== 1) return ['/'];
      const rows = await read<{ path: string }>(
        sql<{ path: string }>`select ${path} as path from listing_folder f join listing_entry e on e."folderId" = f.id and e."isFile" = 0
          where f."linkId" = ${linkId} and f."listedAt" is not null and substr(f."pathKey", 1, ${sql.lit(gonePrefix.length)}) <> ${sql.lit(gonePrefix)}
            and length(${path}) <= 300 and not ${isKnown(path)} and not ${isRefused(path)}
          order by f."listedAt" desc limit ${limit}`.compile(db),
      );
      return rows.map((row) => row.path);
    },

    /** Known folders that were listed before then, the oldest first. */
    async oldest(linkId: string, before: number, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('listing_folder')
        .select('path')
        .where('linkId', '=', linkId)
        .where('listedAt', '<', before)
        .orderBy('listedAt')
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

    async refuse(linkId: string, path: string, refusedAt: number): Promise<void> {
      await db
        .insertInto('knowledge_refusal')
        .values({ linkId, pathKey: pathKeyOf(path), refusedAt })
        .onConflict((conflict) => conflict.columns(['linkId', 'pathKey']).doUpdateSet({ refusedAt }))
        .execute();
    },
  };
}
