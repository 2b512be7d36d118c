import type { Db } from '#/db/database.ts';
import type { Database } from '#/db/schema.ts';

export type AccountRow = Database['account'];

/** Accounts and the identities at sign-in providers that open them. */
export function createAccountStore(db: Db) {
  return {
    /** The new account, or undefined when its address is taken. */
    insert: (row: AccountRow): Promise<AccountRow | undefined> =>
      db
        .insertInto('account')
        .values(row)
        .onConflict((conflict) => conflict.column('emailKey').doNothing())
        .returningAll()
        .executeTakeFirst(),
    find: (id: string): Promise<AccountRow | undefined> => db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst(),
    findByEmail: (emailKey: string): Promise<AccountRow | undefined> =>
      db.selectFrom('account').selectAll().where('emailKey', '=', emailKey).executeTakeFirst(),
    findByIdentity: (issuer: string, subject: string): Promise<AccountRow | undefined> =>
      db
        .selectFrom('account')
        .innerJoin('identity', 'identity.accountId', 'account.id')
        .selectAll('account')
        .where('identity.issuer', '=', issuer)
        .where('identity.subject', '=', subject)
        .executeTakeFirst(),
    /** False when another account has that identity. */
    async addIdentity(row: Database['identity']): Promise<boolean> {
      const added = await db
        .insertInto('identity')
        .values(row)
        .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
        .returning('accountId')
        .executeTakeFirst();
      return added !== undefined;
    },
    async update(id: string, change: Partial<Omit<AccountRow, 'id' | 'email' | 'emailKey'>>): Promise<void> {
      await db.updateTable('account').set(change).where('id', '=', id).execute();
    },
    /** Gives the account another address, unproven; false when another account has it. */
    changeEmail: (id: string, email: string, emailKey: string): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const other = await transaction
          .selectFrom('account')
          .select('id')
          .where('emailKey', '=', emailKey)
          .where('id', '!=', id)
          .executeTakeFirst();
        if (other) return false;
        await transaction.updateTable('account').set({ email, emailKey, verifiedAt: null }).where('id', '=', id).execute();
        return true;
      }),
  };
}
export type AccountStore = ReturnType<typeof createAccountStore>;
