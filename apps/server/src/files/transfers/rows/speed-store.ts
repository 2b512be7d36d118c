import type { OpenDatabase } from '#/platform/db/database.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

/** Links that files go between. */
export interface Pair {
  readonly fromLinkId: string;
  readonly toLinkId: string;
}
export type Speed = Pick<Database['transferSpeed'], 'bytesPerSecond' | 'itemsPerSecond'>;

export type SpeedStore = ReturnType<typeof createSpeedStore>;

/** Store of measured speeds. */
export function createSpeedStore({ db }: Pick<OpenDatabase, 'db'>) {
  return {
    find: ({ fromLinkId, toLinkId }: Pair): Promise<Speed | undefined> =>
      db
        .selectFrom('transferSpeed')
        .select(['bytesPerSecond', 'itemsPerSecond'])
        .where('fromLinkId', '=', fromLinkId)
        .where('toLinkId', '=', toLinkId)
        .executeTakeFirst(),

    /** The best that one of the links has reached with any other: what it can do itself. */
    async best(end: 'fromLinkId' | 'toLinkId', linkId: string): Promise<Speed> {
      const row = await db
        .selectFrom('transferSpeed')
        .select(({ fn }) => [fn.max('bytesPerSecond').as('bytesPerSecond'), fn.max('itemsPerSecond').as('itemsPerSecond')])
        .where(end, '=', linkId)
        .executeTakeFirst();
      return { bytesPerSecond: row?.bytesPerSecond ?? null, itemsPerSecond: row?.itemsPerSecond ?? null };
    },

    async save(pair: Pair, speed: Speed): Promise<void> {
      await db
        .insertInto('transferSpeed')
        .values({ ...pair, ...speed })
        .onConflict((conflict) => conflict.columns(['fromLinkId', 'toLinkId']).doUpdateSet({ ...speed }))
        .execute();
    },
  };
}
