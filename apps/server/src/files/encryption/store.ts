import type { Db } from '#/platform/db/schema/engine.ts';

/** Store of encrypted folders and of the visibility of their root. */
export function createEncryptionStore(db: Db) {
  return {
    /** The account's folders whose link still exists, by name. */
    folders: (accountId: string) =>
      db
        .selectFrom('encryption_folder')
        .innerJoin('link', (join) =>
          join.onRef('link.id', '=', 'encryption_folder.linkId').onRef('link.accountId', '=', 'encryption_folder.accountId'),
        )
        .selectAll('encryption_folder')
        .select('link.name as linkName')
        .where('encryption_folder.accountId', '=', accountId)
        .orderBy('encryption_folder.name')
        .orderBy('encryption_folder.id')
        .execute(),

    /** Whether the root is shown; off by default. */
    async rootView(accountId: string): Promise<boolean> {
      const row = await db.selectFrom('encryption_setting').select('rootView').where('accountId', '=', accountId).executeTakeFirst();
      return row?.rootView === 1;
    },

    async setRootView(accountId: string, isShown: boolean): Promise<void> {
      const rootView = isShown ? 1 : 0;
      await db
        .insertInto('encryption_setting')
        .values({ accountId, rootView })
        .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ rootView }))
        .execute();
    },
  };
}
export type EncryptionStore = ReturnType<typeof createEncryptionStore>;
