import type { Db } from '#/db/database.ts';
import type { Database } from '#/db/schema.ts';

export type MailPurpose = 'verify' | 'reset';
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
    async remove(accountId: string, purpose: MailPurpose): Promise<void> {
      await db.deleteFrom('mail_token').where('accountId', '=', accountId).where('purpose', '=', purpose).execute();
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
