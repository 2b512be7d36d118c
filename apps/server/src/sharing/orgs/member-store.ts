import { type GivenOrgRole, type OrgRole, linkUriOf, mayInOrg } from '@sheaf/contract';
import { recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import { type Act, type By, orgEvent } from './events.ts';
import { withdrawGrantsOf } from './invitation-store.ts';
import { type Membership, hold, holdOwner, roleOf } from './store.ts';

/** A member as other members see them. */
export interface MemberRow {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly role: OrgRole;
  readonly joinedAt: number;
  /** The directory that made the membership; null where people did. */
  readonly givenBy: string | null;
}

type Org = Pick<Membership, 'orgId' | 'name'>;

const members = (from: Db) =>
  from
    .selectFrom('org_member')
    .innerJoin('account', 'account.id', 'org_member.accountId')
    .select([
      'org_member.id',
      'org_member.accountId',
      'account.name',
      'account.email',
      'org_member.role',
      'org_member.joinedAt',
      'org_member.givenBy',
    ]);

/** A member by the membership's id or by the account. */
export async function findMember(
  from: Db,
  orgId: string,
  by: { readonly id: string } | { readonly accountId: string },
): Promise<MemberRow | undefined> {
  const query = members(from).where('org_member.orgId', '=', orgId);
  const row = await (
    'id' in by ? query.where('org_member.id', '=', by.id) : query.where('accountId', '=', by.accountId)
  ).executeTakeFirst();
  return row && { ...row, role: roleOf(row.role) };
}

/** Removes a member with their shares of the organisation's files, which would otherwise return with a new membership. */
export async function removeMember(transaction: Db, { orgId, name: orgName }: Org, member: MemberRow, by: By): Promise<void> {
  await transaction.deleteFrom('org_member').where('id', '=', member.id).execute();
  await withdrawGrantsOf(transaction, { orgId, name: orgName }, member, by);
  const shares = await transaction
    .selectFrom('weblink')
    .innerJoin('link', 'link.id', 'weblink.linkId')
    .select(['weblink.id', 'weblink.linkId', 'weblink.path', 'link.name'])
    .where('weblink.accountId', '=', member.accountId)
    .where('link.accountId', '=', orgId)
    .execute();
  for (const { id, linkId, path, name } of shares) {
    await transaction.deleteFrom('weblink').where('id', '=', id).execute();
    await recordAudit(transaction, {
      accountId: member.accountId,
      ...by,
      action: 'share.remove',
      subjectId: linkUriOf(linkId, path),
      subjectName: path === '/' ? name : path.slice(path.lastIndexOf('/') + 1),
    });
  }
}

/** Store of members. Each change locks the organisation's row, so that of two concurrent changes the second sees the first. */
export function createMemberStore(db: Db) {
  return {
    async list(orgId: string): Promise<MemberRow[]> {
      const rows = await members(db).where('org_member.orgId', '=', orgId).orderBy('joinedAt').orderBy('org_member.id').execute();
      return rows.map((row) => ({ ...row, role: roleOf(row.role) }));
    },

    /** Returns undefined when no member with a changeable role has that membership. */
    changeRole: ({ orgId, name }: Org, memberId: string, role: GivenOrgRole, act: Act): Promise<MemberRow | undefined> =>
      db.transaction().execute(async (transaction) => {
        await hold(transaction, orgId);
        const member = await findMember(transaction, orgId, { id: memberId });
        if (!member || member.role === 'owner') return undefined;
        if (member.role !== role) {
          await transaction.updateTable('org_member').set({ role }).where('id', '=', memberId).execute();
          await recordAudit(transaction, orgEvent(orgId, name, 'org.role', act, { member: member.name, role }));
          if (!mayInOrg(role, 'members')) await withdrawGrantsOf(transaction, { orgId, name }, member, act);
        }
        return member;
      }),

    find: (orgId: string, memberId: string): Promise<MemberRow | undefined> => findMember(db, orgId, { id: memberId }),

    /** Removes a member other than the owner, with their shares of the organisation's files. Undefined when there is none. */
    remove: ({ orgId, name }: Org, memberId: string, act: Act): Promise<MemberRow | undefined> =>
      db.transaction().execute(async (transaction) => {
        await hold(transaction, orgId);
        const member = await findMember(transaction, orgId, { id: memberId });
        if (!member || member.role === 'owner') return undefined;
        await removeMember(transaction, { orgId, name }, member, act);
        // Otherwise the directory would bring the removed person back without an invitation.
        await transaction
          .updateTable('scim_user')
          .set({ accountId: null })
          .where('orgId', '=', orgId)
          .where('accountId', '=', member.accountId)
          .execute();
        const isLeaving = member.accountId === act.actorId;
        const event = isLeaving
          ? orgEvent(orgId, name, 'org.leave', act)
          : orgEvent(orgId, name, 'org.expel', act, { member: member.name });
        await recordAudit(transaction, event);
        return member;
      }),

    /** Makes a member the owner, and the owner an admin. Undefined when either has changed, or the member's account is being closed. */
    transfer: ({ orgId, name }: Org, memberId: string, act: Act): Promise<MemberRow | undefined> =>
      db.transaction().execute(async (transaction) => {
        await hold(transaction, orgId);
        const member = await findMember(transaction, orgId, { id: memberId });
        if (!member || member.role === 'owner' || !(await holdOwner(transaction, member.accountId))) return undefined;
        const former = await transaction
          .updateTable('org_member')
          .set({ role: 'admin' })
          .where('orgId', '=', orgId)
          .where('accountId', '=', act.actorId)
          .where('role', '=', 'owner')
          .returning('id')
          .executeTakeFirst();
        if (!former) return undefined;
        await transaction.updateTable('org_member').set({ role: 'owner' }).where('id', '=', memberId).execute();
        await recordAudit(transaction, orgEvent(orgId, name, 'org.transfer', act, { member: member.name }));
        return member;
      }),
  };
}
export type MemberStore = ReturnType<typeof createMemberStore>;
