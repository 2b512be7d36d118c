import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type PlaceRow = Selectable<Database['place']>;
export interface NewPlace {
  readonly accountId: string;
  readonly linkId: string;
  readonly path: string;
  readonly isFolder: boolean;
  /** Epoch seconds. */
  readonly at: number;
}

export type PlaceStore = ReturnType<typeof createPlaceStore>;

/** Store of pins, recently used items, and the order of links. */
export function createPlaceStore(db: Db) {
  const rowOf = ({ path, isFolder, ...place }: NewPlace) => ({ ...place, path, pathKey: keyOf(path), isFolder: isFolder ? 1 : 0 });
  return {
    places: (accountId: string): Promise<PlaceRow[]> =>
      db.selectFrom('place').selectAll().where('accountId', '=', accountId).orderBy('position').orderBy('pathKey').execute(),

    async linkOrder(accountId: string): Promise<string[]> {
      const rows = await db.selectFrom('link_order').select('linkId').where('accountId', '=', accountId).orderBy('position').execute();
      return rows.map(({ linkId }) => linkId);
    },

    /** Adds the pin behind all others, unless it is there; false when `most` are pinned already. */
    async pin(place: NewPlace, most: number): Promise<boolean> {
      const { accountId } = place;
      const pins = db.selectFrom('place').where('accountId', '=', accountId).where('kind', '=', 'pin');
      const { count } = await pins.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
      if (Number(count) >= most) return false;
      const position = sql<number>`(select coalesce(max(position), 0) + 1 from place where "accountId" = ${accountId} and kind = 'pin')`;
      await db
        .insertInto('place')
        .values({ ...rowOf(place), kind: 'pin', position })
        .onConflict((conflict) => conflict.columns(['accountId', 'kind', 'linkId', 'pathKey']).doNothing())
        .execute();
      return true;
    },

    async unpin(accountId: string, linkId: string, path: string): Promise<void> {
      await db
        .deleteFrom('place')
        .where('accountId', '=', accountId)
        .where('kind', '=', 'pin')
        .where('linkId', '=', linkId)
        .where('pathKey', '=', keyOf(path))
        .execute();
    },

    /** Notes a use, and forgets all but the last `most`. */
    note: (place: NewPlace, most: number): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const recents = transaction.selectFrom('place').where('accountId', '=', place.accountId).where('kind', '=', 'recent');
        // Positions keep the order of uses within a second.
        const { last } = await recents.select(sql<number | null>`max(position)`.as('last')).executeTakeFirstOrThrow();
        const row = { ...rowOf(place), kind: 'recent' as const, position: (last ?? 0) + 1 };
        const { at, isFolder, position } = row;
        await transaction
          .insertInto('place')
          .values(row)
          .onConflict((conflict) => conflict.columns(['accountId', 'kind', 'linkId', 'pathKey']).doUpdateSet({ at, isFolder, position }))
          .execute();
        const inOrder = recents.select(['linkId', 'pathKey']).orderBy('position', 'desc').orderBy('pathKey');
        const old = await inOrder.offset(most).limit(most).execute();
        for (const { linkId, pathKey } of old) {
          await transaction
            .deleteFrom('place')
            .where('accountId', '=', place.accountId)
            .where('kind', '=', 'recent')
            .where('linkId', '=', linkId)
            .where('pathKey', '=', pathKey)
            .execute();
        }
      }),

    /** Gives the pins positions in this order; others keep theirs behind. */
    orderPins: (accountId: string, pins: readonly { readonly linkId: string; readonly path: string }[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const [at, { linkId, path }] of pins.entries()) {
          await transaction
            .updateTable('place')
            .set({ position: at - pins.length })
            .where('accountId', '=', accountId)
            .where('kind', '=', 'pin')
            .where('linkId', '=', linkId)
            .where('pathKey', '=', keyOf(path))
            .execute();
        }
      }),

    /** Replaces the order of links. */
    orderLinks: (accountId: string, linkIds: readonly string[]): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('link_order').where('accountId', '=', accountId).execute();
        if (linkIds.length === 0) return;
        await transaction
          .insertInto('link_order')
          .values(linkIds.map((linkId, position) => ({ accountId, linkId, position })))
          .execute();
      }),
  };
}

const keyOf = (path: string): string => createHash('sha256').update(path).digest('base64url');
