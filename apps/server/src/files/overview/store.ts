import type { Usage } from '@sheaf/connectors';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type RoomRow = Selectable<Database['link_room']>;
export type ArrivalRow = Selectable<Database['link_arrival']>;

/** Links that one statement asks about. */
const atOnce = 500;

export type OverviewStore = ReturnType<typeof createOverviewStore>;

/** Store of room at sources and of arrivals in folders. */
export function createOverviewStore(db: Db) {
  const inSlices = async <Row>(ids: readonly string[], read: (some: readonly string[]) => Promise<Row[]>): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let at = 0; at < ids.length; at += atOnce) rows.push(...(await read(ids.slice(at, at + atOnce))));
    return rows;
  };
  return {
    rooms: (linkIds: readonly string[]): Promise<RoomRow[]> =>
      inSlices(linkIds, (some) => db.selectFrom('link_room').selectAll().where('linkId', 'in', some).execute()),

    /** Notes that the source was asked, and what it told; without an answer the former one stays. */
    async asked(linkId: string, askedAt: number, usage: Usage | undefined): Promise<void> {
      const told = usage && { used: usage.used, total: usage.total ?? null, toldAt: askedAt };
      // A link may be gone by the time its source answers.
      const isThere = await db.selectFrom('link').select('id').where('id', '=', linkId).executeTakeFirst();
      if (!isThere) return;
      await db
        .insertInto('link_room')
        .values({ linkId, askedAt, ...(told ?? { used: null, total: null, toldAt: null }) })
        .onConflict((conflict) => conflict.column('linkId').doUpdateSet({ askedAt, ...told }))
        .execute();
    },

    /** Notes arrivals in a folder, and forgets all but the last `most` of the link. */
    addArrival: (row: Database['link_arrival'], most: number): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('link_arrival').values(row).execute();
        const ofLink = transaction.selectFrom('link_arrival').select('id').where('linkId', '=', row.linkId);
        const old = await ofLink.orderBy('id', 'desc').offset(most).limit(most).execute();
        if (old.length === 0) return;
        await transaction
          .deleteFrom('link_arrival')
          .where('linkId', '=', row.linkId)
          .where(
            'id',
            'in',
            old.map(({ id }) => id),
          )
          .execute();
      }),

    /** The arrivals of these links since then, the newest first. */
    arrivals: (linkIds: readonly string[], since: number): Promise<ArrivalRow[]> =>
      inSlices(linkIds, (some) =>
        db
          .selectFrom('link_arrival as a')
          .selectAll()
          .where('a.linkId', 'in', some)
          .where('a.at', '>=', since)
          // Encrypted names mean nothing to their reader.
          .where(
            sql<SqlBool>`not exists (select 1 from encryption_folder v where v."linkId" = a."linkId"
              and (a.path = v.path or v.path = '/' or substr(a.path, 1, length(v.path) + 1) = v.path || '/'))`,
          )
          .orderBy('a.id', 'desc')
          .execute(),
      ),
  };
}
