import { type AuditEvent, recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import type { WaysIn } from '#/platform/db/ways-in.ts';

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

/** Store of second factors and recovery codes. */
export function createSecondFactorStore(db: Db, waysIn: WaysIn) {
  /** Locks the account, so that only one of two first factors added at once creates codes. */
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

  /** Deletes recovery codes when no second factor is left: they would open nothing. */
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

    /** Replaces an unconfirmed secret; false when a confirmed one exists. */
    async beginTotp(accountId: string, sealed: string): Promise<boolean> {
      const row = await db
        .insertInto('totp')
        .values({ accountId, sealed, confirmedAt: null, lastStep: 0 })
        .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ sealed }).where('totp.confirmedAt', 'is', null))
        .returning('accountId')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Confirms the secret; returns whether the given codes were stored. Undefined when the secret was replaced meanwhile. */
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

    /** Marks a period's code as used; false when it or a later one was used. */
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

    /** Returns false when none was active. */
    removeTotp: (accountId: string, at: number): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const removed = await transaction.deleteFrom('totp').where('accountId', '=', accountId).returning('confirmedAt').executeTakeFirst();
        if (!removed || removed.confirmedAt === null) return false;
        await recordAudit(transaction, event(accountId, 'account.factorRemoved', 'totp', app, at));
        await dropCodesIfUseless(transaction, accountId);
        return true;
      }),

    /** Removes every second factor, even the only way to sign in; returns their names. */
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

    /** Returns whether the given codes were stored; undefined when the passkey is registered already. */
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
    /**
     * Returns its name; undefined when it does not exist, `lastWayIn` when it is the only way to sign in and was kept. `passwordsCount`: whether the
     * account's password signs in.
     */
    removePasskey: (
      accountId: string,
      id: string,
      at: number,
      passwordsCount: boolean,
    ): Promise<{ name: string } | 'lastWayIn' | undefined> =>
      db.transaction().execute(async (transaction) => {
        const remain = await waysIn.remainWithout(transaction, accountId, { passkeyId: id }, passwordsCount);
        const row = await transaction
          .selectFrom('passkey')
          .selectAll()
          .where('accountId', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirst();
        if (!row) return undefined;
        if (row.signsIn === 1 && !remain) return 'lastWayIn';
        await transaction.deleteFrom('passkey').where('id', '=', id).execute();
        await recordAudit(transaction, event(accountId, 'account.factorRemoved', id, row.name, at));
        await dropCodesIfUseless(transaction, accountId);
        return { name: row.name };
      }),

    async codesLeft(accountId: string): Promise<number> {
      return (await db.selectFrom('recovery_code').select('codeHash').where('accountId', '=', accountId).execute()).length;
    },
    /** Deletes a code; false when it does not exist. */
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
        // Locks the account, so that the second of two concurrent renewals replaces the codes of the first.
        await transaction.updateTable('account').set({ id: accountId }).where('id', '=', accountId).execute();
        await transaction.deleteFrom('recovery_code').where('accountId', '=', accountId).execute();
        await putCodes(transaction, accountId, codeHashes);
        await recordAudit(transaction, event(accountId, 'account.codes', accountId, 'recovery codes', at));
      }),
  };
}
export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;
