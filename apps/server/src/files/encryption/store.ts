import type { Insertable } from 'kysely';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { EncryptionTables } from '#/platform/db/tables/encryption.ts';

type NewVault = Insertable<EncryptionTables['encryption_folder']>;

type Change = { readonly name: string } | { readonly wrapped: string } | { readonly forMembers: number };

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

    /** Vaults of other accounts on these links whose owners opened them to members, by name. */
    async forMembers(accountId: string, linkIds: readonly string[]) {
      if (linkIds.length === 0) return [];
      return db
        .selectFrom('encryption_folder')
        .innerJoin('link', (join) =>
          join.onRef('link.id', '=', 'encryption_folder.linkId').onRef('link.accountId', '=', 'encryption_folder.accountId'),
        )
        .innerJoin('account', 'account.id', 'encryption_folder.accountId')
        .selectAll('encryption_folder')
        .select('account.name as ownerName')
        .where('encryption_folder.linkId', 'in', linkIds)
        .where('encryption_folder.forMembers', '=', 1)
        .where('encryption_folder.accountId', '!=', accountId)
        .orderBy('encryption_folder.name')
        .orderBy('encryption_folder.id')
        .execute();
    },

    /** Whether the account itself owns the link; vaults of others' links would be lost with the access. */
    async ownsLink(accountId: string, linkId: string): Promise<boolean> {
      const row = await db.selectFrom('link').select('id').where('id', '=', linkId).where('accountId', '=', accountId).executeTakeFirst();
      return row !== undefined;
    },

    /** Stores a new vault; false if its folder is one already. */
    async add(row: NewVault): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('encryption_folder')
        .values(row)
        .onConflict((conflict) => conflict.columns(['linkId', 'path']).doNothing())
        .executeTakeFirst();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    /** Whether the account has that vault and it was changed. */
    async change(accountId: string, id: string, change: Change): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('encryption_folder')
        .set(change)
        .where('id', '=', id)
        .where('accountId', '=', accountId)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async hasVault(accountId: string, id: string): Promise<boolean> {
      const query = db.selectFrom('encryption_folder').select('id').where('id', '=', id).where('accountId', '=', accountId);
      return (await query.executeTakeFirst()) !== undefined;
    },

    /** The passkeys of all vaults of the account, the oldest first. */
    passkeys: (accountId: string) =>
      db
        .selectFrom('vaultPasskey')
        .innerJoin('encryption_folder', 'encryption_folder.id', 'vaultPasskey.vaultId')
        .selectAll('vaultPasskey')
        .where('encryption_folder.accountId', '=', accountId)
        .orderBy('vaultPasskey.createdAt')
        .orderBy('vaultPasskey.id')
        .execute(),

    /** Adds a passkey unless the vault has `most` of them. */
    async addPasskey(row: EncryptionTables['vaultPasskey'], most: number): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const { count } = await transaction
          .selectFrom('vaultPasskey')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('vaultId', '=', row.vaultId)
          .executeTakeFirstOrThrow();
        if (Number(count) >= most) return false;
        await transaction.insertInto('vaultPasskey').values(row).execute();
        return true;
      });
    },

    async removePasskey(vaultId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('vaultPasskey').where('id', '=', id).where('vaultId', '=', vaultId).executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Whether the account had that vault. */
    async remove(accountId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('encryption_folder')
        .where('id', '=', id)
        .where('accountId', '=', accountId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

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
