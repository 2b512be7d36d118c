import { recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

export type AppPasswordRow = Database['app_password'];

/** Store of app passwords. */
export function createAppPasswordStore(db: Db) {
  const usable = (now: number) =>
    db
      .selectFrom('app_password')
      .innerJoin('account', 'account.id', 'app_password.accountId')
      .selectAll('app_password')
      .where((by) => by.or([by('expiresAt', 'is', null), by('expiresAt', '>', now)]))
      .where('account.disabledAt', 'is', null)
      .where('account.closesAt', 'is', null);
  return {
    /** False when the user name or the access key is taken. */
    insert: (row: AppPasswordRow): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const query = transaction.insertInto('app_password').values(row);
        const inserted = await query
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!inserted) return false;
        const { accountId, id, name, createdAt, publicKey } = row;
        const event = { accountId, actorId: accountId, subjectId: id, subjectName: name, at: createdAt };
        await recordAudit(transaction, { ...event, action: publicKey === null ? 'account.appPassword' : 'account.sshKey' });
        return true;
      }),
    /** Newest first, expired ones too. */
    list: (accountId: string): Promise<AppPasswordRow[]> =>
      db.selectFrom('app_password').selectAll().where('accountId', '=', accountId).orderBy('createdAt', 'desc').orderBy('id').execute(),
    async count(accountId: string): Promise<number> {
      const query = db.selectFrom('app_password').select(({ fn }) => fn.countAll().as('count'));
      return Number((await query.where('accountId', '=', accountId).executeTakeFirst())?.count ?? 0);
    },
    /** Unless it has expired, or its account is disabled or being closed. */
    findByUsername: (username: string, now: number): Promise<AppPasswordRow | undefined> =>
      usable(now).where('username', '=', username).executeTakeFirst(),
    findByKey: (accessKeyId: string, now: number): Promise<AppPasswordRow | undefined> =>
      usable(now).where('accessKeyId', '=', accessKeyId).executeTakeFirst(),
    /** Of these, the ids of those that can be used. */
    async usable(ids: readonly string[], now: number): Promise<string[]> {
      if (ids.length === 0) return [];
      return (await usable(now).where('app_password.id', 'in', ids).execute()).map(({ id }) => id);
    },
    async touch(id: string, lastUsedAt: number, lastUsedBy: string): Promise<void> {
      await db.updateTable('app_password').set({ lastUsedAt, lastUsedBy }).where('id', '=', id).execute();
    },
    remove: (accountId: string, id: string, at: number): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const query = transaction.deleteFrom('app_password').where('accountId', '=', accountId).where('id', '=', id);
        const removed = await query.returning(['name', 'publicKey']).executeTakeFirst();
        if (!removed) return;
        const event = { accountId, actorId: accountId, subjectId: id, subjectName: removed.name, at };
        await recordAudit(transaction, {
          ...event,
          action: removed.publicKey === null ? 'account.appPasswordRemoved' : 'account.sshKeyRemoved',
        });
      }),
    async removeAll(accountId: string): Promise<void> {
      await db.deleteFrom('app_password').where('accountId', '=', accountId).execute();
    },
    /** The next sealed keys after this id. */
    sealedAfter: (id: string, limit: number): Promise<Pick<AppPasswordRow, 'id' | 'sealedKey'>[]> =>
      db.selectFrom('app_password').select(['id', 'sealedKey']).where('id', '>', id).orderBy('id').limit(limit).execute(),
    async replaceSealed(id: string, sealedKey: string): Promise<void> {
      await db.updateTable('app_password').set({ sealedKey }).where('id', '=', id).execute();
    },
  };
}
export type AppPasswordStore = ReturnType<typeof createAppPasswordStore>;
