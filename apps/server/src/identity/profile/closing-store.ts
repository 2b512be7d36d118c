import type { AuditAction } from '@sheaf/contract';
import type { AccountRow } from '#/identity/account/store.ts';
import { type AuditEvent, recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';

/** Store of accounts that are being closed. */
export function createClosingStore(db: Db) {
  const record = (transaction: Db, accountId: string, actorId: string, action: AuditAction, at: number): Promise<void> =>
    recordAudit(transaction, { accountId, actorId, action, subjectId: accountId, subjectName: 'the account', at });

  const ownedOrgs = (by: Db, accountId: string): Promise<{ orgOid: string; name: string }[]> =>
    by
      .selectFrom('org_member')
      .innerJoin('account', 'account.id', 'org_member.orgId')
      .select(['org_member.orgId as orgOid', 'account.name as name'])
      .where('org_member.accountId', '=', accountId)
      .where('org_member.role', '=', 'owner')
      .orderBy('account.name')
      .execute();

  return {
    /** Counts what would end with the account. */
    async counts(accountId: string) {
      const links = await db.selectFrom('link').select('id').where('accountId', '=', accountId).where('provider', '!=', 'Spaces').execute();
      const shares = await db.selectFrom('weblink').select('id').where('accountId', '=', accountId).execute();
      const spaces = await db
        .selectFrom('space')
        .leftJoin('space_member', (join) =>
          join.onRef('space_member.spaceId', '=', 'space.id').onRef('space_member.accountId', '!=', 'space.ownerId'),
        )
        .select(({ fn }) => ['space.name as name', fn.count('space_member.id').as('members')])
        .where('space.ownerId', '=', accountId)
        .groupBy(['space.id', 'space.name'])
        .orderBy('space.name')
        .execute();
      return {
        links: links.length,
        shares: shares.length,
        spaces: spaces.map(({ name, members }) => ({ name, members: Number(members) })),
        organisations: await ownedOrgs(db, accountId),
      };
    },

    /** Schedules the account's end and ends its sessions at once; false when it owns an organisation. */
    close: (accountId: string, closesAt: number, at: number, actorId: string): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        // Locked until commit, so that no organisation is handed to it meanwhile.
        await transaction.updateTable('account').set({ closesAt }).where('id', '=', accountId).where('closesAt', 'is', null).execute();
        if ((await ownedOrgs(transaction, accountId)).length > 0) {
          await transaction.updateTable('account').set({ closesAt: null }).where('id', '=', accountId).execute();
          return false;
        }
        await transaction.deleteFrom('session').where('accountId', '=', accountId).execute();
        // Deletes pending address changes: no other address becomes the account's while it is closed.
        await transaction.deleteFrom('mail_token').where('accountId', '=', accountId).where('purpose', '=', 'change').execute();
        await record(transaction, accountId, actorId, 'account.close', at);
        return true;
      }),

    /** Keeps the account; false when its time is over. */
    reopen: (accountId: string, at: number, actorId: string): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const kept = await transaction
          .updateTable('account')
          .set({ closesAt: null, closingLease: null })
          .where('id', '=', accountId)
          .where('closesAt', '>', at)
          .returning('id')
          .executeTakeFirst();
        if (kept) await record(transaction, accountId, actorId, 'account.reopen', at);
        return kept !== undefined;
      }),

    /** Leases an account whose time is over to this instance; undefined when there is none. */
    async takeDue(now: number, lease: number): Promise<AccountRow | undefined> {
      const due = await db
        .selectFrom('account')
        .select('id')
        .where('closesAt', '<=', now)
        .where((by) => by.or([by('closingLease', 'is', null), by('closingLease', '<=', now)]))
        // An organisation was handed to it after it was closed: somebody must take that over first.
        .where((by) =>
          by.not(
            by.exists(
              by
                .selectFrom('org_member')
                .select('org_member.id')
                .whereRef('org_member.accountId', '=', 'account.id')
                .where('role', '=', 'owner'),
            ),
          ),
        )
        .orderBy('closesAt')
        .executeTakeFirst();
      if (!due) return undefined;
      return db
        .updateTable('account')
        .set({ closingLease: lease })
        .where('id', '=', due.id)
        .where('closesAt', '<=', now)
        .where((by) => by.or([by('closingLease', 'is', null), by('closingLease', '<=', now)]))
        .returningAll()
        .executeTakeFirst();
    },

    /**
     * Deletes the account with everything that belongs to it; logs of organisations and Spaces keep an entry. False when another instance was faster.
     */
    remove: (accountId: string, at: number): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const held = await transaction
          .updateTable('account')
          .set({ id: accountId })
          .where('id', '=', accountId)
          .where('closesAt', 'is not', null)
          .returning('id')
          .executeTakeFirst();
        if (!held) return false;
        for (const event of await leavingOf(transaction, accountId)) await recordAudit(transaction, { ...event, actorId: accountId, at });
        await transaction.deleteFrom('account').where('id', '=', accountId).execute();
        return true;
      }),
  };
}
export type ClosingStore = ReturnType<typeof createClosingStore>;

/** Events about the account's end for the logs of its organisations and of other people's Spaces. */
async function leavingOf(transaction: Db, accountId: string): Promise<Omit<AuditEvent, 'actorId' | 'at'>[]> {
  const orgs = await transaction
    .selectFrom('org_member')
    .innerJoin('account as org', 'org.id', 'org_member.orgId')
    .select(['org.id as accountId', 'org.id as subjectId', 'org.name as subjectName'])
    .where('org_member.accountId', '=', accountId)
    .execute();
  const spaces = await transaction
    .selectFrom('space_member')
    .innerJoin('space', 'space.id', 'space_member.spaceId')
    .select(['space.ownerId as accountId', 'space.id as spaceId', 'space.id as subjectId', 'space.name as subjectName'])
    .where('space_member.accountId', '=', accountId)
    .where('space.ownerId', '!=', accountId)
    .execute();
  return [
    ...orgs.map((org) => ({ ...org, action: 'org.leave' as const })),
    ...spaces.map((space) => ({ ...space, action: 'space.leave' as const })),
  ];
}
