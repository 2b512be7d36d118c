import type { Db } from '#/platform/db/schema/engine.ts';

/** Store of browsers in which an account has signed in, by their tokens' hashes. */
export function createKnownDeviceStore(db: Db) {
  return {
    async has(accountId: string, tokenHash: string, usedAfter: number): Promise<boolean> {
      const row = await db
        .selectFrom('knownDevice')
        .select('tokenHash')
        .where('accountId', '=', accountId)
        .where('tokenHash', '=', tokenHash)
        .where('lastUsedAt', '>', usedAfter)
        .executeTakeFirst();
      return row !== undefined;
    },

    async add(accountId: string, tokenHash: string, lastUsedAt: number): Promise<void> {
      await db
        .insertInto('knownDevice')
        .values({ accountId, tokenHash, lastUsedAt })
        .onConflict((conflict) => conflict.columns(['accountId', 'tokenHash']).doUpdateSet({ lastUsedAt }))
        .execute();
    },

    async removeUnused(usedBefore: number): Promise<void> {
      await db.deleteFrom('knownDevice').where('lastUsedAt', '<=', usedBefore).execute();
    },
  };
}

export type KnownDeviceStore = ReturnType<typeof createKnownDeviceStore>;
