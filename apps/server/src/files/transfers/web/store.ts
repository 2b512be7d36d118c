import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type WebAddressRow = Database['webAddress'];

/** Store of addresses of the web from which transfers copy. */
export function createWebAddressStore(db: Db) {
  return {
    async add(row: WebAddressRow): Promise<void> {
      await db.insertInto('webAddress').values(row).execute();
    },
    find: (accountId: string, id: string): Promise<WebAddressRow | undefined> =>
      db.selectFrom('webAddress').selectAll().where('accountId', '=', accountId).where('id', '=', id).executeTakeFirst(),
    async removeBefore(time: number): Promise<void> {
      await db.deleteFrom('webAddress').where('createdAt', '<', time).execute();
    },
  };
}
export type WebAddressStore = ReturnType<typeof createWebAddressStore>;
