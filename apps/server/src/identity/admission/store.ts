import { type OperatorEvent, recordOperatorEvent } from '#/platform/db/operator-events.ts';
import type { Db } from '#/platform/db/schema/engine.ts';

/** An invitation whose token somebody presents. */
export interface Presented {
  /** To this installation itself, or to a Space or an organisation, which is answered after signing up. */
  readonly isOwn: boolean;
  /** The invited address; null for a link that anybody may use. */
  readonly email: string | null;
  readonly emailKey: string | null;
  /** Whether only a mail has carried the token. */
  readonly isMailed: boolean;
}

/** Store of who may create an account. */
export function createAdmissionStore(db: Db) {
  const elsewhere = (table: 'space_invitation' | 'org_invitation', tokenHash: string, now: number) =>
    db.selectFrom(table).select(['email', 'emailKey']).where('tokenHash', '=', tokenHash).where('expiresAt', '>', now).executeTakeFirst();

  return {
    hasAccounts: async (): Promise<boolean> =>
      (await db.selectFrom('account').select('id').where('kind', '=', 'person').limit(1).executeTakeFirst()) !== undefined,

    isOperator: async (accountId: string): Promise<boolean> =>
      (await db.selectFrom('operator').select('accountId').where('accountId', '=', accountId).executeTakeFirst()) !== undefined,

    /** Gives or takes the rights of an operator in the name of a provider, and logs it; does nothing where it is so already, or a person has given them. */
    setGiven: (accountId: string, givenBy: string, isGiven: boolean, event: OperatorEvent): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const row = { accountId, since: event.at, givenBy };
        const changed = isGiven
          ? await transaction
              .insertInto('operator')
              .values(row)
              .onConflict((conflict) => conflict.doNothing())
              .returning('accountId')
              .executeTakeFirst()
          : await transaction
              .deleteFrom('operator')
              .where('accountId', '=', accountId)
              .where('givenBy', '=', givenBy)
              .returning('accountId')
              .executeTakeFirst();
        if (changed) await recordOperatorEvent(transaction, event);
      }),

    /** The invitation of this token, unless it has ended. */
    async present(tokenHash: string, now: number): Promise<Presented | undefined> {
      const own = await db
        .selectFrom('signUpInvitation')
        .select(['email', 'emailKey', 'isMailed'])
        .where('tokenHash', '=', tokenHash)
        .where('expiresAt', '>', now)
        .executeTakeFirst();
      if (own) return { ...own, isOwn: true, isMailed: own.isMailed === 1 };
      const other = (await elsewhere('space_invitation', tokenHash, now)) ?? (await elsewhere('org_invitation', tokenHash, now));
      return other && { ...other, isOwn: false, isMailed: false };
    },

    /** Whether somebody has invited this address: to this installation, a Space or an organisation. */
    async isInvited(emailKey: string, now: number): Promise<boolean> {
      for (const table of ['signUpInvitation', 'space_invitation', 'org_invitation'] as const) {
        const query = db.selectFrom(table).select('id').where('emailKey', '=', emailKey).where('expiresAt', '>', now);
        if ((await query.limit(1).executeTakeFirst()) !== undefined) return true;
      }
      return false;
    },
  };
}
export type AdmissionStore = ReturnType<typeof createAdmissionStore>;
