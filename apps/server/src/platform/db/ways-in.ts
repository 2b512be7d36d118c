import type { Db } from './schema/engine.ts';

/**
 * Counts the ways to sign in to the account: `passwords` (0 or 1, whether or not the settings let it sign in) and `others`, which are sign-in providers
 * and passkeys. Locks the account until the transaction ends, so that of two concurrent removals the second sees the first.
 */
export async function holdWaysIn(transaction: Db, accountId: string): Promise<{ readonly passwords: number; readonly others: number }> {
  const account = await transaction
    .updateTable('account')
    .set({ id: accountId })
    .where('id', '=', accountId)
    .returning('passwordHash')
    .executeTakeFirst();
  const identities = await transaction.selectFrom('identity').select('subject').where('accountId', '=', accountId).execute();
  const passkeys = await transaction
    .selectFrom('passkey')
    .select('id')
    .where('accountId', '=', accountId)
    .where('signsIn', '=', 1)
    .execute();
  return { passwords: typeof account?.passwordHash === 'string' ? 1 : 0, others: identities.length + passkeys.length };
}
