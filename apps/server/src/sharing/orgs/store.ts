import { type OrgRole, orgRoles } from '@sheaf/contract';
import { recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import { type Act, orgEvent } from './events.ts';

/** A user's membership of an organisation. */
export interface Membership {
  /** The orgMembershipOid. */
  readonly membershipId: string;
  readonly orgId: string;
  /** The organisation's name. */
  readonly name: string;
  readonly accountId: string;
  readonly role: OrgRole;
}

/** An organisation to be created. */
interface NewOrg extends Act {
  readonly orgId: string;
  readonly membershipId: string;
  readonly name: string;
  /** Whether it starts with a trial, which a person gets once. */
  readonly isTrial: boolean;
}

export const roleOf = (text: string): OrgRole => orgRoles.find((role) => role === text) ?? 'member';

/** Locks the row of an account or organisation until the transaction ends. False when it does not exist. */
export async function hold(transaction: Db, accountId: string): Promise<boolean> {
  const held = await transaction
    .updateTable('account')
    .set({ id: accountId })
    .where('id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  return held !== undefined;
}

/** Like `hold`, for a user who is about to own an organisation; also false for an account that is being closed. */
export async function holdOwner(transaction: Db, accountId: string): Promise<boolean> {
  if (!(await hold(transaction, accountId))) return false;
  const query = transaction.selectFrom('account').select('id').where('id', '=', accountId);
  return (await query.where('closesAt', 'is', null).where('disabledAt', 'is', null).executeTakeFirst()) !== undefined;
}

/** Store of organisations, which are accounts of their own kind, and of their members. */
export function createOrgStore(db: Db) {
  const memberships = () =>
    db
      .selectFrom('org_member')
      .innerJoin('account as org', 'org.id', 'org_member.orgId')
      .select(['org_member.id as membershipId', 'org_member.orgId', 'org.name', 'org_member.accountId', 'org_member.role']);
  const read = <Row extends { readonly role: string }>(row: Row) => ({ ...row, role: roleOf(row.role) });

  return {
    async memberships(userId: string): Promise<Membership[]> {
      const rows = await memberships().where('org_member.accountId', '=', userId).orderBy('org.name').orderBy('org.id').execute();
      return rows.map(read);
    },

    async membership(userId: string, orgId: string): Promise<Membership | undefined> {
      const row = await memberships().where('org_member.accountId', '=', userId).where('org_member.orgId', '=', orgId).executeTakeFirst();
      return row && read(row);
    },

    /** Number of members of each organisation. */
    async memberCounts(orgIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      if (orgIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('org_member')
        .select((by) => ['orgId', by.fn.countAll().as('members')])
        .where('orgId', 'in', orgIds)
        .groupBy('orgId')
        .execute();
      return new Map(rows.map(({ orgId, members }) => [orgId, Number(members)]));
    },

    /** Creates an organisation with its owner; false for a user who owns one, or wants a second trial. Concurrent calls are serialised. */
    create: ({ orgId, membershipId, name, isTrial, actorId, at }: NewOrg): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        if (!(await holdOwner(transaction, actorId))) return false;
        const owned = await transaction
          .selectFrom('org_member')
          .select('id')
          .where('accountId', '=', actorId)
          .where('role', '=', 'owner')
          .executeTakeFirst();
        if (owned || (isTrial && (await hasTried(transaction, actorId)))) return false;
        await transaction
          .insertInto('account')
          .values({
            id: orgId,
            kind: 'organisation',
            name,
            email: '',
            // Not a valid address: nobody can sign in as an organisation.
            emailKey: `organisation ${orgId}`,
            passwordHash: null,
            verifiedAt: null,
            disabledAt: null,
            createdAt: at,
          })
          .execute();
        const owner = { id: membershipId, orgId, accountId: actorId, role: 'owner', joinedAt: at };
        await transaction.insertInto('org_member').values(owner).execute();
        const event = orgEvent(orgId, name, 'org.create', { actorId, at }, { trial: isTrial ? 'yes' : 'no' });
        await recordAudit(transaction, event);
        // Also in the user's own log, which outlives the organisation.
        await recordAudit(transaction, { ...event, accountId: actorId });
        return true;
      }),

    /** Whether the user had a trial of an organisation, including closed ones. */
    hasTried: (userId: string): Promise<boolean> => hasTried(db, userId),

    /** Deletes an organisation whose trial could not start. */
    async discard(orgId: string): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('audit_event').where('action', '=', 'org.create').where('subjectId', '=', orgId).execute();
        await transaction.deleteFrom('account').where('id', '=', orgId).where('kind', '=', 'organisation').execute();
      });
    },

    async rename({ orgId, name }: Membership, newName: string, act: Act): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction.updateTable('account').set({ name: newName }).where('id', '=', orgId).execute();
        await recordAudit(transaction, orgEvent(orgId, name, 'org.rename', act, { newName }));
      });
    },

    /**
     * Deletes the organisation with everything that belongs to it, and records it in the owner's log; false when it does not exist, or the actor is
     * no longer its owner.
     */
    close: ({ orgId, name }: Membership, act: Act): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        await hold(transaction, orgId);
        const owner = await transaction
          .selectFrom('org_member')
          .select('id')
          .where('orgId', '=', orgId)
          .where('accountId', '=', act.actorId)
          .where('role', '=', 'owner')
          .executeTakeFirst();
        if (!owner) return false;
        await transaction.deleteFrom('account').where('id', '=', orgId).execute();
        await recordAudit(transaction, { ...orgEvent(orgId, name, 'org.close', act), accountId: act.actorId });
        return true;
      }),
  };
}
export type OrgStore = ReturnType<typeof createOrgStore>;

async function hasTried(db: Db, userId: string): Promise<boolean> {
  const rows = await db
    .selectFrom('audit_event')
    .select('details')
    .where('accountId', '=', userId)
    .where('action', '=', 'org.create')
    .execute();
  return rows.some(({ details }) => details.includes('"trial":"yes"'));
}
