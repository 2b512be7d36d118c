import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

/** `change`: the address it was mailed to waits to become the account's. */
export type MailPurpose = 'verify' | 'reset' | 'change';
type Row = Database['mail_token'] & { purpose: MailPurpose };

/** Store of mailed tokens, by their hashes. */
export function createMailTokenStore(db: Db) {
  return {
    /** Only the newest token of each purpose works. */
    async replace(row: Row): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('mail_token').where('accountId', '=', row.accountId).where('purpose', '=', row.purpose).execute();
        await transaction.insertInto('mail_token').values(row).execute();
      });
    },
    /** Deletes and returns the token, so that it works once even when sent twice at the same time; undefined when unknown or expired. */
    take: (tokenHash: string, purpose: MailPurpose, now: number): Promise<Database['mail_token'] | undefined> =>
      db
        .deleteFrom('mail_token')
        .where('tokenHash', '=', tokenHash)
        .where('purpose', '=', purpose)
        .where('expiresAt', '>', now)
        .returningAll()
        .executeTakeFirst(),
    /** Returns the token's account; undefined when unknown or expired. */
    async holder(tokenHash: string, purpose: MailPurpose, now: number): Promise<string | undefined> {
      const query = db.selectFrom('mail_token').select('accountId').where('tokenHash', '=', tokenHash);
      return (await query.where('purpose', '=', purpose).where('expiresAt', '>', now).executeTakeFirst())?.accountId;
    },
    /** Returns the pending address with its token; undefined without one. */
    waiting: (accountId: string, now: number): Promise<Pick<Row, 'tokenHash' | 'email'> | undefined> =>
      db
        .selectFrom('mail_token')
        .select(['tokenHash', 'email'])
        .where('accountId', '=', accountId)
        .where('purpose', '=', 'change')
        .where('expiresAt', '>', now)
        .orderBy('expiresAt', 'desc')
        .executeTakeFirst(),
    /** Replaces a token by a new one; false when it no longer exists. */
    async renew(formerHash: string, tokenHash: string, expiresAt: number): Promise<boolean> {
      const query = db.updateTable('mail_token').set({ tokenHash, expiresAt }).where('tokenHash', '=', formerHash);
      return (await query.returning('tokenHash').executeTakeFirst()) !== undefined;
    },
    async remove(accountId: string, purposes: readonly MailPurpose[]): Promise<void> {
      await db.deleteFrom('mail_token').where('accountId', '=', accountId).where('purpose', 'in', purposes).execute();
    },
    async removeAll(accountId: string): Promise<void> {
      await db.deleteFrom('mail_token').where('accountId', '=', accountId).execute();
    },
    async sweep(now: number): Promise<void> {
      await db.deleteFrom('mail_token').where('expiresAt', '<=', now).execute();
    },
  };
}
export type MailTokenStore = ReturnType<typeof createMailTokenStore>;
