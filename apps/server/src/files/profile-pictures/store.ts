import type { Db } from '#/platform/db/schema/engine.ts';

/** Store of people's pictures. */
export function createProfilePictureStore(db: Db) {
  return {
    /** The WebP. */
    async find(accountId: string): Promise<Buffer | undefined> {
      const row = await db.selectFrom('account_picture').select('image').where('accountId', '=', accountId).executeTakeFirst();
      return row && Buffer.from(row.image, 'base64');
    },
    /** The address that the picture came from. */
    addressOf: async (accountId: string): Promise<string | undefined> =>
      (await db.selectFrom('account_picture').select('address').where('accountId', '=', accountId).executeTakeFirst())?.address,
    async put(accountId: string, address: string, image: Buffer, changedAt: number): Promise<void> {
      const row = { address, image: image.toString('base64'), changedAt };
      await db
        .insertInto('account_picture')
        .values({ accountId, ...row })
        .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
        .execute();
    },
    async remove(accountId: string): Promise<void> {
      await db.deleteFrom('account_picture').where('accountId', '=', accountId).execute();
    },
  };
}
export type ProfilePictureStore = ReturnType<typeof createProfilePictureStore>;
