import { type GivenOrgRole, mayInOrg } from '@sheaf/contract';
import { recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Database } from '#/platform/db/schema/schema.ts';
import { type Act, type By, orgEvent } from './events.ts';
import { type Membership, hold, roleOf } from './store.ts';

type Row = Database['org_invitation'];
type Org = Pick<Membership, 'orgId' | 'name'>;
/** A valid invitation, with the names of the organisation and of the inviter. */
export type OpenInvitation = Row & { readonly orgName: string; readonly inviterName: string | null };

const numberOf = ({ rows }: { readonly rows: number | string | bigint }): number => Number(rows);

/** Store of invitations to organisations; expired ones count as absent. */
export function createInvitationStore(db: Db) {
  const open = (now: number) =>
    db
      .selectFrom('org_invitation')
      .innerJoin('account as org', 'org.id', 'org_invitation.orgId')
      .leftJoin('account as inviter', 'inviter.id', 'org_invitation.invitedBy')
      .selectAll('org_invitation')
      .select(['org.name as orgName', 'inviter.name as inviterName'])
      .where('org_invitation.expiresAt', '>', now);
  const membersIn = async (transaction: Db, orgId: string): Promise<number> =>
    numberOf(
      await transaction
        .selectFrom('org_member')
        .select((by) => by.fn.countAll().as('rows'))
        .where('orgId', '=', orgId)
        .executeTakeFirstOrThrow(),
    );
  const othersInvited = async (transaction: Db, orgId: string, emailKey: string, now: number): Promise<number> =>
    numberOf(
      await transaction
        .selectFrom('org_invitation')
        .select((by) => by.fn.countAll().as('rows'))
        .where('orgId', '=', orgId)
        .where('emailKey', '!=', emailKey)
        .where('expiresAt', '>', now)
        .executeTakeFirstOrThrow(),
    );

  /** Deletes an invitation and returns its current role; undefined when it was answered, withdrawn or renewed meanwhile. */
  const take = (transaction: Db, { id, tokenHash }: OpenInvitation) =>
    transaction.deleteFrom('org_invitation').where('id', '=', id).where('tokenHash', '=', tokenHash).returning('role').executeTakeFirst();

  return {
    list: (orgId: string, now: number): Promise<OpenInvitation[]> =>
      open(now).where('org_invitation.orgId', '=', orgId).orderBy('org_invitation.createdAt').orderBy('org_invitation.id').execute(),
    listFor: (emailKey: string, now: number): Promise<OpenInvitation[]> =>
      open(now).where('org_invitation.emailKey', '=', emailKey).orderBy('org_invitation.createdAt').execute(),
    findByToken: (tokenHash: string, now: number): Promise<OpenInvitation | undefined> =>
      open(now).where('org_invitation.tokenHash', '=', tokenHash).executeTakeFirst(),
    find: (id: string, now: number): Promise<OpenInvitation | undefined> =>
      open(now).where('org_invitation.id', '=', id).executeTakeFirst(),

    /**
     * Stores the invitation in place of an earlier one to the address, unless members and invitations would exceed `units`, or the inviter has lost
     * the right. A directory invites in its own name.
     */
    put: (
      row: Row,
      org: Org,
      units: number,
      by: By = { actorId: row.invitedBy, at: row.createdAt },
    ): Promise<'invited' | 'member' | 'full' | 'forbidden'> =>
      db.transaction().execute(async (transaction) => {
        await hold(transaction, row.orgId);
        const inviter = await transaction
          .selectFrom('org_member')
          .select('role')
          .where('orgId', '=', row.orgId)
          .where('accountId', '=', row.invitedBy)
          .executeTakeFirst();
        if (!inviter || !mayInOrg(roleOf(inviter.role), 'members')) return 'forbidden';
        const member = await transaction
          .selectFrom('org_member')
          .innerJoin('account', 'account.id', 'org_member.accountId')
          .select('org_member.id')
          .where('org_member.orgId', '=', row.orgId)
          .where('account.emailKey', '=', row.emailKey)
          .executeTakeFirst();
        if (member) return 'member';
        const taken =
          (await membersIn(transaction, row.orgId)) + (await othersInvited(transaction, row.orgId, row.emailKey, row.createdAt));
        if (taken >= units) return 'full';
        const { id: _id, orgId: _orgId, emailKey: _emailKey, ...renewed } = row;
        await transaction
          .insertInto('org_invitation')
          .values(row)
          .onConflict((conflict) => conflict.columns(['orgId', 'emailKey']).doUpdateSet(renewed))
          .execute();
        await recordAudit(transaction, orgEvent(row.orgId, org.name, 'org.invite', by, { email: row.email, role: row.role }));
        return 'invited';
      }),

    /** Turns the invitation into a membership, unless all `units` are taken. An existing member keeps the role. */
    accept: (invitation: OpenInvitation, membershipId: string, units: number, act: Act) =>
      db.transaction().execute(async (transaction): Promise<'joined' | 'spent' | 'full'> => {
        const { orgId, orgName } = invitation;
        await hold(transaction, orgId);
        const isMember = await transaction
          .selectFrom('org_member')
          .select('id')
          .where('orgId', '=', orgId)
          .where('accountId', '=', act.actorId)
          .executeTakeFirst();
        if (!isMember && (await membersIn(transaction, orgId)) >= units) return 'full';
        const taken = await take(transaction, invitation);
        if (!taken) return 'spent';
        if (isMember) return 'joined';
        const row = { id: membershipId, orgId, accountId: act.actorId, role: taken.role, joinedAt: act.at };
        await transaction.insertInto('org_member').values(row).execute();
        await recordAudit(transaction, orgEvent(orgId, orgName, 'org.join', act));
        return 'joined';
      }),

    /** Returns false when another request was faster. The log names the address when nobody is signed in. */
    decline: (invitation: OpenInvitation, actorId: string | undefined, at: number): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        if (!(await take(transaction, invitation))) return false;
        const { orgId, orgName, email } = invitation;
        const { actorId: _none, ...event } = orgEvent(orgId, orgName, 'org.decline', { actorId: '', at }, { email });
        await recordAudit(transaction, { ...event, ...(actorId !== undefined && { actorId }) });
        return true;
      }),

    /** Returns false when the organisation has no such invitation. */
    changeRole: ({ orgId, name }: Org, id: string, role: GivenOrgRole, act: Act): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const query = transaction.updateTable('org_invitation').set({ role }).where('id', '=', id).where('orgId', '=', orgId);
        const changed = await query.returning('email').executeTakeFirst();
        if (!changed) return false;
        await recordAudit(transaction, orgEvent(orgId, name, 'org.role', act, { member: changed.email, role }));
        return true;
      }),

    /** Withdraws an invitation; false when the organisation has no such one. */
    remove: ({ orgId, name }: Org, id: string, act: Act): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const query = transaction.deleteFrom('org_invitation').where('id', '=', id).where('orgId', '=', orgId);
        const removed = await query.returning('email').executeTakeFirst();
        if (!removed) return false;
        await recordAudit(transaction, orgEvent(orgId, name, 'org.expel', act, { member: removed.email }));
        return true;
      }),

    /** Withdraws the invitation to an address; does nothing without one. */
    removeTo: ({ orgId, name }: Org, emailKey: string, by: By): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const query = transaction.deleteFrom('org_invitation').where('orgId', '=', orgId).where('emailKey', '=', emailKey);
        const removed = await query.returning('email').executeTakeFirst();
        if (removed) await recordAudit(transaction, orgEvent(orgId, name, 'org.expel', by, { member: removed.email }));
      }),

    async sweep(now: number): Promise<void> {
      await db.deleteFrom('org_invitation').where('expiresAt', '<=', now).execute();
    },
  };
}
export type InvitationStore = ReturnType<typeof createInvitationStore>;

/**
 * Withdraws what a user who may no longer manage members has issued: open invitations, so that they cannot be used to return, and tokens of
 * directories.
 */
export async function withdrawGrantsOf(
  transaction: Db,
  { orgId, name }: Org,
  giver: { readonly accountId: string; readonly name: string },
  by: By,
): Promise<void> {
  const query = transaction
    .deleteFrom('org_invitation')
    .where('orgId', '=', orgId)
    .where('invitedBy', '=', giver.accountId)
    .where('givenBy', 'is', null);
  for (const { email } of await query.returning('email').execute())
    await recordAudit(transaction, orgEvent(orgId, name, 'org.withdraw', by, { member: email, inviter: giver.name }));
  const tokens = transaction.deleteFrom('scim_token').where('orgId', '=', orgId).where('createdBy', '=', giver.accountId);
  for (const { name: token } of await tokens.returning('name').execute())
    await recordAudit(transaction, orgEvent(orgId, name, 'org.tokenRemoved', by, { token }));
}
