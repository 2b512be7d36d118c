import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

/** `change`: the address that it was mailed to waits to become the account's. */
export type MailPurpose = 'verify' | 'reset' | 'change';
type Row = Database['mail_token'] & { purpose: MailPurpose };

/** Tokens of mailed links, by their hashes. */
export function createMailTokenStore(db: Db) {
  return {
    /** Of one purpose only the newest works. */
    async replace(row: Row): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('mail_token').where('accountId', '=', row.accountId).where('purpose', '=', row.purpose).execute();
        await transaction.insertInto('mail_token').values(row).execute();
      });
    },
    /** Takes the token out, so that it works once even when it comes twice at the same time; undefined when there is none or it is too late. */
    take: (tokenHash: string, purpose: MailPurpose, now: number): Promise<Database['mail_token'] | undefined> =>
      db
        .deleteFrom('mail_token')
        .where('tokenHash', '=', tokenHash)
        .where('purpose', '=', purpose)
        .where('expiresAt', '>', now)
        .returningAll()
        .executeTakeFirst(),
    /** The account that the token is of; undefined when there is none or it is too late. */
    async holder(tokenHash: string, purpose: MailPurpose, now: number): Promise<string | undefined> {
      const query = db.selectFrom('mail_token').select('accountId').where('tokenHash', '=', tokenHash);
      return (await query.where('purpose', '=', purpose).where('expiresAt', '>', now).executeTakeFirst())?.accountId;
    },
    /** The address that waits, with its token; undefined when none does. */
    waiting: (accountId: string, now: number): Promise<Pick<Row, 'tokenHash' | 'email'> | undefined> =>
      db
        .selectFrom('mail_token')
        .select(['tokenHash', 'email'])
        .where('accountId', '=', accountId)
        .where('purpose', '=', 'change')
        .where('expiresAt', '>', now)
        .orderBy('expiresAt', 'desc')
        .executeTakeFirst(),
    /** Puts a new token in the place of another; false when that one is gone. */
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
