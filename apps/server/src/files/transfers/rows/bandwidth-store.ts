import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

/** Store of the limits of accounts. */
export function createBandwidthStore(db: Db) {
  return {
    find: (accountId: string): Promise<Database['transferBandwidth'] | undefined> =>
      db.selectFrom('transferBandwidth').selectAll().where('accountId', '=', accountId).executeTakeFirst(),

    async set(row: Database['transferBandwidth']): Promise<void> {
      const { timetable, timezone } = row;
      await db
        .insertInto('transferBandwidth')
        .values(row)
        .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ timetable, timezone }))
        .execute();
    },
  };
}
export type BandwidthStore = ReturnType<typeof createBandwidthStore>;
