import { type AuditEvent, recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { holdWaysIn } from '#/platform/db/ways-in.ts';

export type PasskeyRow = Database['passkey'];
type TotpRow = Database['totp'];
type Action = 'account.factorAdded' | 'account.factorRemoved' | 'account.codes';

const event = (accountId: string, action: Action, subjectId: string, subjectName: string, at: number): AuditEvent => ({
  accountId,
  actorId: accountId,
  action,
  subjectId,
  subjectName,
  at,
});
const app = 'an authenticator app';

/** Second steps of signing in, and the recovery codes that stand in for them. */
export function createSecondFactorStore(db: Db) {
  /** Holds the account, so that of two first steps at once only one brings codes. */
  async function addCodesIfNone(transaction: Db, accountId: string, codeHashes: readonly string[]): Promise<boolean> {
    await transaction.updateTable('account').set({ id: accountId }).where('id', '=', accountId).execute();
    const some = await transaction.selectFrom('recovery_code').select('codeHash').where('accountId', '=', accountId).executeTakeFirst();
    if (some) return false;
    await putCodes(transaction, accountId, codeHashes);
    return true;
  }

  const putCodes = async (transaction: Db, accountId: string, codeHashes: readonly string[]): Promise<void> => {
    await transaction
      .insertInto('recovery_code')
      .values(codeHashes.map((codeHash) => ({ accountId, codeHash })))
      .execute();
  };

  /** Codes stand in for a second step; without one they would open nothing, and are forgotten. */
  async function dropCodesIfUseless(transaction: Db, accountId: string): Promise<void> {
    const totp = await transaction
      .selectFrom('totp')
      .select('accountId')
      .where('accountId', '=', accountId)
      .where('confirmedAt', 'is not', null)
      .executeTakeFirst();
    const passkey = await transaction.selectFrom('passkey').select('id').where('accountId', '=', accountId).executeTakeFirst();
    if (!totp && !passkey) await transaction.deleteFrom('recovery_code').where('accountId', '=', accountId).execute();
  }

  return {
    findTotp: (accountId: string): Promise<TotpRow | undefined> =>
      db.selectFrom('totp').selectAll().where('accountId', '=', accountId).executeTakeFirst(),

    /** Puts a secret in the place of one that does not count yet; false when one counts. */
    async beginTotp(accountId: string, sealed: string): Promise<boolean> {
      const row = await db
        .insertInto('totp')
        .values({ accountId, sealed, confirmedAt: null, lastStep: 0 })
        .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ sealed }).where('totp.confirmedAt', 'is', null))
        .returning('accountId')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Lets the secret count; answers whether the codes given were kept. Undefined when it is no longer the one to be confirmed. */
    confirmTotp: (row: TotpRow, lastStep: number, codeHashes: readonly string[], at: number): Promise<boolean | undefined> =>
      db.transaction().execute(async (transaction) => {
        const confirmed = await transaction
          .updateTable('totp')
          .set({ confirmedAt: at, lastStep })
          .where('accountId', '=', row.accountId)
          .where('sealed', '=', row.sealed)
          .where('confirmedAt', 'is', null)
          .returning('accountId')
          .executeTakeFirst();
        if (!confirmed) return undefined;
        await recordAudit(transaction, event(row.accountId, 'account.factorAdded', 'totp', app, at));
        return addCodesIfNone(transaction, row.accountId, codeHashes);
      }),

    /** Takes a period's code; false when it or a later one was taken. */
    async takeStep(accountId: string, step: number): Promise<boolean> {
      const taken = await db
        .updateTable('totp')
        .set({ lastStep: step })
        .where('accountId', '=', accountId)
        .where('confirmedAt', 'is not', null)
        .where('lastStep', '<', step)
        .returning('accountId')
        .executeTakeFirst();
      return taken !== undefined;
    },

    /** False when none counted. */
    removeTotp: (accountId: string, at: number): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const removed = await transaction.deleteFrom('totp').where('accountId', '=', accountId).returning('confirmedAt').executeTakeFirst();
        if (!removed || removed.confirmedAt === null) return false;
        await recordAudit(transaction, event(accountId, 'account.factorRemoved', 'totp', app, at));
        await dropCodesIfUseless(transaction, accountId);
        return true;
      }),

    /** Removes every second step, be it the only way in; gives what they are called. */
    removeAll: (accountId: string, at: number): Promise<string[]> =>
      db.transaction().execute(async (transaction) => {
        const totp = await transaction.deleteFrom('totp').where('accountId', '=', accountId).returning('confirmedAt').executeTakeFirst();
        const passkeys = await transaction.deleteFrom('passkey').where('accountId', '=', accountId).returning(['id', 'name']).execute();
        await transaction.deleteFrom('recovery_code').where('accountId', '=', accountId).execute();
        const counted = typeof totp?.confirmedAt === 'number' ? [{ id: 'totp', name: app, what: 'An authenticator app' }] : [];
        const removed = [...counted, ...passkeys.map((passkey) => ({ ...passkey, what: `The passkey ${passkey.name}` }))];
        for (const { id, name } of removed) await recordAudit(transaction, event(accountId, 'account.factorRemoved', id, name, at));
        return removed.map(({ what }) => what);
      }),

    totps: (): Promise<TotpRow[]> => db.selectFrom('totp').selectAll().execute(),
    async replaceSealed({ accountId, sealed }: TotpRow, replacement: string): Promise<void> {
      await db.updateTable('totp').set({ sealed: replacement }).where('accountId', '=', accountId).where('sealed', '=', sealed).execute();
    },

    passkeys: (accountId: string): Promise<PasskeyRow[]> =>
      db.selectFrom('passkey').selectAll().where('accountId', '=', accountId).orderBy('createdAt').orderBy('id').execute(),
    findPasskey: (credentialId: string): Promise<PasskeyRow | undefined> =>
      db.selectFrom('passkey').selectAll().where('credentialId', '=', credentialId).executeTakeFirst(),

    /** Answers whether the codes given were kept; undefined when the passkey is known already. */
    addPasskey: (row: PasskeyRow, codeHashes: readonly string[]): Promise<boolean | undefined> =>
      db.transaction().execute(async (transaction) => {
        const added = await transaction
          .insertInto('passkey')
          .values(row)
          .onConflict((conflict) => conflict.column('credentialId').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!added) return undefined;
        await recordAudit(transaction, event(row.accountId, 'account.factorAdded', row.id, row.name, row.createdAt));
        return addCodesIfNone(transaction, row.accountId, codeHashes);
      }),
    async notePasskey(id: string, counter: number, lastUsedAt: number): Promise<void> {
      await db.updateTable('passkey').set({ counter, lastUsedAt }).where('id', '=', id).execute();
    },
    async renamePasskey(accountId: string, id: string, name: string): Promise<void> {
      await db.updateTable('passkey').set({ name }).where('accountId', '=', accountId).where('id', '=', id).execute();
    },
    /** Gives its name; undefined when there is none, `lastWayIn` when it is the only way in, and stays. */
    removePasskey: (accountId: string, id: string, at: number): Promise<{ name: string } | 'lastWayIn' | undefined> =>
      db.transaction().execute(async (transaction) => {
        const ways = await holdWaysIn(transaction, accountId);
        const row = await transaction
          .selectFrom('passkey')
          .selectAll()
          .where('accountId', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirst();
        if (!row) return undefined;
        if (row.signsIn === 1 && ways <= 1) return 'lastWayIn';
        await transaction.deleteFrom('passkey').where('id', '=', id).execute();
        await recordAudit(transaction, event(accountId, 'account.factorRemoved', id, row.name, at));
        await dropCodesIfUseless(transaction, accountId);
        return { name: row.name };
      }),

    async codesLeft(accountId: string): Promise<number> {
      return (await db.selectFrom('recovery_code').select('codeHash').where('accountId', '=', accountId).execute()).length;
    },
    /** Takes a code out; false when there is none like it. */
    async takeCode(accountId: string, codeHash: string): Promise<boolean> {
      const taken = await db
        .deleteFrom('recovery_code')
        .where('accountId', '=', accountId)
        .where('codeHash', '=', codeHash)
        .returning('codeHash')
        .executeTakeFirst();
      return taken !== undefined;
    },
    replaceCodes: (accountId: string, codeHashes: readonly string[], at: number): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        // Of two at once the second replaces what the first has put there.
        await transaction.updateTable('account').set({ id: accountId }).where('id', '=', accountId).execute();
        await transaction.deleteFrom('recovery_code').where('accountId', '=', accountId).execute();
        await putCodes(transaction, accountId, codeHashes);
        await recordAudit(transaction, event(accountId, 'account.codes', accountId, 'recovery codes', at));
      }),
  };
}
export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;
