import type { Db } from '#/db/database.ts';
import type { Database } from '#/db/schema.ts';

type Row = Database['session'];

/** Sessions in the database. */
export function createSessionStore(db: Db) {
  return {
    async insert(row: Row): Promise<void> {
      await db.insertInto('session').values(row).execute();
    },
    /** The session that has not expired and whose account is not disabled. */
    find: (tokenHash: string, now: number): Promise<Row | undefined> =>
      db
        .selectFrom('session')
        .innerJoin('account', 'account.id', 'session.accountId')
        .selectAll('session')
        .where('tokenHash', '=', tokenHash)
        .where('expiresAt', '>', now)
        .where('account.disabledAt', 'is', null)
        .executeTakeFirst(),
    async touch(id: string, lastSeenAt: number, expiresAt: number): Promise<void> {
      await db.updateTable('session').set({ lastSeenAt, expiresAt }).where('id', '=', id).execute();
    },
    /** The newest first. */
    list: (accountId: string, now: number): Promise<Row[]> =>
      db
        .selectFrom('session')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('expiresAt', '>', now)
        .orderBy('lastSeenAt', 'desc')
        .orderBy('createdAt', 'desc')
        .execute(),
    async remove(accountId: string, id: string): Promise<void> {
      await db.deleteFrom('session').where('accountId', '=', accountId).where('id', '=', id).execute();
    },
    /** Ends the account's sessions, except perhaps one. */
    async removeAll(accountId: string, exceptId?: string): Promise<void> {
      const query = db.deleteFrom('session').where('accountId', '=', accountId);
      await (exceptId === undefined ? query : query.where('id', '!=', exceptId)).execute();
    },
    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('session').where('expiresAt', '<=', now).execute();
    },
  };
}
export type SessionStore = ReturnType<typeof createSessionStore>;
