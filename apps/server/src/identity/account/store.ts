import type { AuditAction } from '@sheaf/contract';
import { recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { isTaken } from '#/platform/db/unique.ts';
import type { WaysIn } from '#/platform/db/ways-in.ts';
import type { EmailAddress } from './rules.ts';

export type AccountRow = Database['account'];
export type IdentityRow = Database['identity'];

/** Audit event of a change by the account's owner. */
export interface OwnEvent {
  readonly action: AuditAction;
  readonly name: string;
  /** Epoch seconds. */
  readonly at: number;
}

/** What creating an account uses up or brings, in the same transaction. */
export interface Entry {
  /** The invitation by which somebody signs up; with `spends` it ends, and it must still be there. */
  readonly invitationHash?: string;
  readonly spends?: boolean;
  /** Ends the invitation to this address. */
  readonly spendsOf?: string;
  /** Makes the account an operator's. */
  readonly isOperator?: boolean;
}

/** The name that a provider gives of a person. */
interface Said {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null | undefined;
}

/** Whether the way to sign in was removed. */
type Removed = boolean | 'lastWayIn';

/** Store of accounts and of the identities that sign in to them. */
export function createAccountStore(db: Db, waysIn: WaysIn) {
  const record = (transaction: Db, accountId: string, { action, name, at }: OwnEvent): Promise<void> =>
    recordAudit(transaction, { accountId, actorId: accountId, action, subjectId: accountId, subjectName: name, at });

  /** Removes one way to sign in unless none would be left (`lastWayIn`). False when it does not exist. */
  const removeWay = (
    accountId: string,
    event: OwnEvent,
    remains: (transaction: Db) => Promise<boolean>,
    remove: (transaction: Db) => Promise<unknown>,
  ): Promise<Removed> =>
    db.transaction().execute(async (transaction) => {
      if (!(await remains(transaction))) return 'lastWayIn';
      if ((await remove(transaction)) === undefined) return false;
      await record(transaction, accountId, event);
      return true;
    });

  /** Runs `change` on an address; `taken` when another account has it. */
  async function changeEmail<Outcome extends string>(
    id: string,
    event: OwnEvent,
    change: (transaction: Db) => Promise<Outcome>,
  ): Promise<Outcome | 'taken'> {
    try {
      return await db.transaction().execute(async (transaction) => {
        const outcome = await change(transaction);
        if (outcome === 'replaced') await record(transaction, id, event);
        return outcome;
      });
    } catch (error) {
      if (isTaken(error)) return 'taken';
      throw error;
    }
  }

  return {
    /** Creates the account; an invitation that is spent is kept when the address is `taken`. */
    insert: (row: AccountRow, { invitationHash, spends, spendsOf, isOperator }: Entry = {}): Promise<'created' | 'taken' | 'spent'> =>
      db.transaction().execute(async (transaction) => {
        const spending = transaction.deleteFrom('signUpInvitation');
        if (spends && invitationHash !== undefined) {
          // Locked until commit, so that of two sign-ups with one invitation the second finds it spent.
          const held = await transaction
            .updateTable('signUpInvitation')
            .set({ tokenHash: invitationHash })
            .where('tokenHash', '=', invitationHash)
            .returning('id')
            .executeTakeFirst();
          if (!held) return 'spent';
        }
        const created = await transaction
          .insertInto('account')
          .values(row)
          .onConflict((conflict) => conflict.column('emailKey').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!created) return 'taken';
        if (spends && invitationHash !== undefined) await spending.where('tokenHash', '=', invitationHash).execute();
        if (spendsOf !== undefined) await spending.where('emailKey', '=', spendsOf).execute();
        if (isOperator)
          await transaction.insertInto('operator').values({ accountId: row.id, since: row.createdAt, givenBy: null }).execute();
        return 'created';
      }),
    find: (id: string): Promise<AccountRow | undefined> => db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst(),
    findByEmail: (emailKey: string): Promise<AccountRow | undefined> =>
      db.selectFrom('account').selectAll().where('emailKey', '=', emailKey).executeTakeFirst(),
    findByIdentity: (issuer: string, subject: string): Promise<AccountRow | undefined> =>
      db
        .selectFrom('account')
        .innerJoin('identity', 'identity.accountId', 'account.id')
        .selectAll('account')
        .where('identity.issuer', '=', issuer)
        .where('identity.subject', '=', subject)
        .executeTakeFirst(),

    identities: (accountId: string): Promise<IdentityRow[]> =>
      db.selectFrom('identity').selectAll().where('accountId', '=', accountId).orderBy('createdAt').orderBy('subject').execute(),
    /** False when another account has that identity. */
    addIdentity: (row: IdentityRow, event: OwnEvent): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const added = await transaction
          .insertInto('identity')
          .values(row)
          .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
          .returning('accountId')
          .executeTakeFirst();
        if (added) await record(transaction, row.accountId, event);
        return added !== undefined;
      }),
    /** Notes the name that a provider gives; returns the one it gave before, undefined for an identity that has gone. */
    follow: ({ issuer, subject, name = null }: Said): Promise<{ name: string | null } | undefined> =>
      db.transaction().execute(async (transaction) => {
        const before = await transaction
          .selectFrom('identity')
          .select('name')
          .where('issuer', '=', issuer)
          .where('subject', '=', subject)
          .executeTakeFirst();
        if (before && before.name !== name)
          await transaction.updateTable('identity').set({ name }).where('issuer', '=', issuer).where('subject', '=', subject).execute();
        return before;
      }),
    /** When the account's picture last changed; undefined without one. */
    pictureChangedAt: async (accountId: string): Promise<number | undefined> =>
      (await db.selectFrom('account_picture').select('changedAt').where('accountId', '=', accountId).executeTakeFirst())?.changedAt,
    /** `passwordsCount`: whether the account's password signs in. */
    removeIdentity: ({ accountId, issuer, subject }: IdentityRow, event: OwnEvent, passwordsCount: boolean): Promise<Removed> =>
      removeWay(
        accountId,
        event,
        (transaction) => waysIn.remainWithout(transaction, accountId, { identity: { issuer, subject } }, passwordsCount),
        (transaction) =>
          transaction
            .deleteFrom('identity')
            .where('accountId', '=', accountId)
            .where('issuer', '=', issuer)
            .where('subject', '=', subject)
            .returning('subject')
            .executeTakeFirst(),
      ),
    /** Removes all identities, even the only way to sign in; returns their providers. */
    removeIdentities: (accountId: string, eventOf: (provider: string) => OwnEvent): Promise<string[]> =>
      db.transaction().execute(async (transaction) => {
        const removed = await transaction.deleteFrom('identity').where('accountId', '=', accountId).returning('provider').execute();
        for (const { provider } of removed) await record(transaction, accountId, eventOf(provider));
        return removed.map(({ provider }) => provider);
      }),
    removePassword: (accountId: string, event: OwnEvent): Promise<Removed> =>
      removeWay(
        accountId,
        event,
        (transaction) => waysIn.remainWithout(transaction, accountId, { password: true }, false),
        (transaction) =>
          transaction
            .updateTable('account')
            .set({ passwordHash: null })
            .where('id', '=', accountId)
            .where('passwordHash', 'is not', null)
            .returning('id')
            .executeTakeFirst(),
      ),

    update: (id: string, change: Partial<Omit<AccountRow, 'id' | 'email' | 'emailKey'>>, event?: OwnEvent): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await transaction.updateTable('account').set(change).where('id', '=', id).execute();
        if (event) await record(transaction, id, event);
      }),
    async markVerified({ id, email }: Pick<AccountRow, 'id' | 'email'>, at: number): Promise<boolean> {
      const query = db.updateTable('account').set({ verifiedAt: at }).where('id', '=', id).where('email', '=', email);
      return (await query.returning('id').executeTakeFirst()) !== undefined;
    },
    /** Replaces an unverified address by another unverified one. */
    replaceEmail: (id: string, address: EmailAddress, event: OwnEvent): Promise<'replaced' | 'proven' | 'taken'> =>
      changeEmail(id, event, async (transaction) => {
        const query = transaction.updateTable('account').set(address).where('id', '=', id).where('verifiedAt', 'is', null);
        return (await query.returning('id').executeTakeFirst()) ? 'replaced' : 'proven';
      }),
    /** Sets an address that has just been verified. */
    moveEmail: (id: string, address: EmailAddress, event: OwnEvent): Promise<'replaced' | 'taken'> =>
      changeEmail(id, event, async (transaction) => {
        await transaction
          .updateTable('account')
          .set({ ...address, verifiedAt: event.at })
          .where('id', '=', id)
          .execute();
        return 'replaced';
      }),
  };
}
export type AccountStore = ReturnType<typeof createAccountStore>;
