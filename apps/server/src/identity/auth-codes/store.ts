import { recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';

type CodeRow = Database['auth_code'];
type TokenRow = Database['auth_token'];
/** A code with the last use of its tokens. */
export interface UsedCode extends CodeRow {
  readonly clients: number;
  readonly lastUsedAt: number | null;
}

/** Store of authentication codes and their tokens. */
export function createAuthCodeStore(db: Db) {
  return {
    insertCode: (row: CodeRow): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('auth_code').values(row).execute();
        const { accountId, id, name, createdAt } = row;
        const event = {
          accountId,
          actorId: accountId,
          action: 'account.authCode',
          subjectId: id,
          subjectName: name,
          at: createdAt,
        } as const;
        await recordAudit(transaction, event);
      }),
    /** The code, unless its account is disabled. */
    findCode: (codeHash: string): Promise<CodeRow | undefined> =>
      db
        .selectFrom('auth_code')
        .innerJoin('account', 'account.id', 'auth_code.accountId')
        .selectAll('auth_code')
        .where('codeHash', '=', codeHash)
        .where('account.disabledAt', 'is', null)
        .where('account.closesAt', 'is', null)
        .executeTakeFirst(),
    /** Newest first. */
    list: async (accountId: string, now: number): Promise<UsedCode[]> => {
      const rows = await db
        .selectFrom('auth_code')
        .leftJoin('auth_token', (join) => join.onRef('auth_token.codeId', '=', 'auth_code.id').on('auth_token.expiresAt', '>', now))
        .selectAll('auth_code')
        .select(({ fn }) => [fn.count('auth_token.id').as('clients'), fn.max('auth_token.lastSeenAt').as('lastUsedAt')])
        .where('auth_code.accountId', '=', accountId)
        .groupBy(['auth_code.id', 'auth_code.codeHash', 'auth_code.accountId', 'auth_code.name', 'auth_code.createdAt'])
        .orderBy('auth_code.createdAt', 'desc')
        .orderBy('auth_code.id')
        .execute();
      return rows.map((row) => ({
        ...row,
        clients: Number(row.clients),
        lastUsedAt: row.lastUsedAt === null ? null : Number(row.lastUsedAt),
      }));
    },
    removeCode: (accountId: string, id: string, at: number): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const query = transaction.deleteFrom('auth_code').where('accountId', '=', accountId).where('id', '=', id);
        const removed = await query.returning('name').executeTakeFirst();
        if (!removed) return;
        const event = {
          accountId,
          actorId: accountId,
          action: 'account.authCodeRemoved',
          subjectId: id,
          subjectName: removed.name,
          at,
        } as const;
        await recordAudit(transaction, event);
      }),
    async removeAll(accountId: string): Promise<void> {
      await db.deleteFrom('auth_code').where('accountId', '=', accountId).execute();
    },
    async insertToken(row: TokenRow): Promise<void> {
      await db.insertInto('auth_token').values(row).execute();
    },
    /** Returns a token that has not expired, unless its account is disabled. */
    findToken: (tokenHash: string, now: number): Promise<TokenRow | undefined> =>
      db
        .selectFrom('auth_token')
        .innerJoin('account', 'account.id', 'auth_token.accountId')
        .selectAll('auth_token')
        .where('tokenHash', '=', tokenHash)
        .where('expiresAt', '>', now)
        .where('account.disabledAt', 'is', null)
        .where('account.closesAt', 'is', null)
        .executeTakeFirst(),
    async touch(id: string, lastSeenAt: number, expiresAt: number): Promise<void> {
      await db.updateTable('auth_token').set({ lastSeenAt, expiresAt }).where('id', '=', id).execute();
    },
    async removeToken(accountId: string, id: string): Promise<void> {
      await db.deleteFrom('auth_token').where('accountId', '=', accountId).where('id', '=', id).execute();
    },
    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('auth_token').where('expiresAt', '<=', now).execute();
    },
  };
}
export type AuthCodeStore = ReturnType<typeof createAuthCodeStore>;
