import { recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import type { EndedThere } from './opened-by.ts';

type Row = Database['session'];

/** Store of sessions. */
export function createSessionStore(db: Db) {
  return {
    async insert(row: Row): Promise<void> {
      await db.insertInto('session').values(row).execute();
    },
    /** Returns a session that has not expired, unless its account is disabled. */
    find: (tokenHash: string, now: number): Promise<Row | undefined> =>
      db
        .selectFrom('session')
        .innerJoin('account', 'account.id', 'session.accountId')
        .selectAll('session')
        .where('tokenHash', '=', tokenHash)
        .where('expiresAt', '>', now)
        .where('account.disabledAt', 'is', null)
        .where('account.closesAt', 'is', null)
        .executeTakeFirst(),
    async touch(id: string, lastSeenAt: number, expiresAt: number): Promise<void> {
      await db.updateTable('session').set({ lastSeenAt, expiresAt }).where('id', '=', id).execute();
    },
    /** Newest first. */
    list: (accountId: string, now: number): Promise<Row[]> =>
      db
        .selectFrom('session')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('expiresAt', '>', now)
        .orderBy('lastSeenAt', 'desc')
        .orderBy('createdAt', 'desc')
        .execute(),
    async provenAt(id: string): Promise<number> {
      const row = await db.selectFrom('session').select('provenAt').where('id', '=', id).executeTakeFirst();
      return row?.provenAt ?? 0;
    },
    async proved(id: string, provenAt: number): Promise<void> {
      await db.updateTable('session').set({ provenAt }).where('id', '=', id).execute();
    },
    async endOtherProofs(accountId: string, exceptId: string): Promise<void> {
      await db.updateTable('session').set({ provenAt: 0 }).where('accountId', '=', accountId).where('id', '!=', exceptId).execute();
    },
    /** Ends it; returns the provider that opened it. */
    async remove(accountId: string, id: string): Promise<string | null | undefined> {
      const ended = db.deleteFrom('session').where('accountId', '=', accountId).where('id', '=', id).returning('provider');
      return (await ended.executeTakeFirst())?.provider;
    },
    /** Ends the provider's sessions of the account, or with its id of a session, or both; returns theirs. */
    async removeOpenedBy({ provider, accountId, sid, before }: EndedThere): Promise<string[]> {
      if (accountId === undefined && sid === undefined) return [];
      let ended = db.deleteFrom('session').where('provider', '=', provider).where('createdAt', '<=', before);
      if (accountId !== undefined) ended = ended.where('accountId', '=', accountId);
      if (sid !== undefined) ended = ended.where('providerSid', '=', sid);
      return (await ended.returning('id').execute()).map(({ id }) => id);
    },
    /** Ends the account's sessions, optionally except one. */
    async removeAll(accountId: string, exceptId?: string): Promise<void> {
      const query = db.deleteFrom('session').where('accountId', '=', accountId);
      await (exceptId === undefined ? query : query.where('id', '!=', exceptId)).execute();
    },
    /** Ends one session or all but one at the owner's request; writes a log entry if any ended. */
    expire: (accountId: string, which: { readonly id: string } | { readonly exceptId: string }, at: number): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const all = transaction.deleteFrom('session').where('accountId', '=', accountId);
        const query = 'id' in which ? all.where('id', '=', which.id) : all.where('id', '!=', which.exceptId);
        const ended = await query.returning('id').execute();
        if (ended.length === 0) return;
        const event = {
          accountId,
          actorId: accountId,
          action: 'account.sessions',
          subjectId: accountId,
          subjectName: 'sessions',
          at,
        } as const;
        await recordAudit(transaction, event);
      }),
    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('session').where('expiresAt', '<=', now).execute();
    },
  };
}
export type SessionStore = ReturnType<typeof createSessionStore>;
