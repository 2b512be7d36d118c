import { type GivenOrgRole, mayInOrg } from '@sheaf/contract';
import { recordAudit } from '#/platform/db/audit.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import { type By, orgEvent } from './events.ts';
import { withdrawGrantsOf } from './invitation-store.ts';
import { findMember, removeMember } from './member-store.ts';
import { hold } from './store.ts';

/** An external directory that decides who belongs to organisations: a sign-in provider, or one that uses SCIM. */
export interface Source {
  /** The provider's id, or `scim`. */
  readonly id: string;
  /** Shown in the log of the organisation as who did it. */
  readonly title: string;
  /** Whether it also decides about members whom people have invited; never about the owner. */
  readonly isAuthority: boolean;
}

/** The membership that a directory wants for one person in one organisation. */
export interface Wish {
  readonly orgId: string;
  readonly account: { readonly id: string; readonly name: string; readonly email: string };
  /** Undefined: no member. */
  readonly role: GivenOrgRole | undefined;
}

/** `absent`: no such organisation. */
export type Outcome = 'joined' | 'changed' | 'removed' | 'full' | 'unchanged' | 'absent';

/** The outcome for a wish, with the organisation's name. */
export interface Followed {
  readonly outcome: Outcome;
  readonly orgName: string;
}

const day = 86_400;

/** Store of memberships that a directory gives. Each change locks the organisation's row, as those of `MemberStore` do. */
export function createDirectoryStore(db: Db) {
  return {
    /** Brings one membership to the directory's wish, unless the organisation has no free place among its `units`. */
    follow: ({ orgId, account, role }: Wish, source: Source, units: number, newId: () => string, at: number): Promise<Followed> =>
      db.transaction().execute(async (transaction) => {
        if (!(await hold(transaction, orgId))) return { outcome: 'absent', orgName: '' };
        const org = await transaction
          .selectFrom('account')
          .select('name')
          .where('id', '=', orgId)
          .where('kind', '=', 'organisation')
          .executeTakeFirst();
        if (!org) return { outcome: 'absent', orgName: '' };
        const ended = (outcome: Outcome): Followed => ({ outcome, orgName: org.name });
        const by: By = { actorName: source.title, at };
        const told = (action: Parameters<typeof orgEvent>[2], details: Readonly<Record<string, string>>) =>
          recordAudit(transaction, orgEvent(orgId, org.name, action, by, details));
        const member = await findMember(transaction, orgId, { accountId: account.id });
        if (member) {
          if (member.role === 'owner' || (member.givenBy !== source.id && !source.isAuthority)) return ended('unchanged');
          if (role === undefined) {
            await removeMember(transaction, { orgId, name: org.name }, member, by);
            await told('org.expel', { member: member.name });
            return ended('removed');
          }
          if (member.role === role && member.givenBy === source.id) return ended('unchanged');
          await transaction.updateTable('org_member').set({ role, givenBy: source.id }).where('id', '=', member.id).execute();
          if (member.role === role) return ended('unchanged');
          await told('org.role', { member: member.name, role });
          if (!mayInOrg(role, 'members')) await withdrawGrantsOf(transaction, { orgId, name: org.name }, member, by);
          return ended('changed');
        }
        if (role === undefined) return ended('unchanged');
        const { rows } = await transaction
          .selectFrom('org_member')
          .select((row) => row.fn.countAll().as('rows'))
          .where('orgId', '=', orgId)
          .executeTakeFirstOrThrow();
        if (Number(rows) >= units) {
          await tellFull(transaction, { orgId, name: org.name }, account.name, by);
          return ended('full');
        }
        const row = { id: newId(), orgId, accountId: account.id, role, joinedAt: at, givenBy: source.id };
        await transaction.insertInto('org_member').values(row).execute();
        await transaction
          .deleteFrom('org_invitation')
          .where('orgId', '=', orgId)
          .where('emailKey', '=', account.email.normalize('NFC').toLowerCase())
          .execute();
        await told('org.add', { member: account.name, role });
        return ended('joined');
      }),

    /** The organisation's name and its owner, whom a directory's invitations name as the inviter. */
    ownerOf: (orgId: string): Promise<{ orgName: string; accountId: string; name: string } | undefined> =>
      db
        .selectFrom('org_member')
        .innerJoin('account', 'account.id', 'org_member.accountId')
        .innerJoin('account as org', 'org.id', 'org_member.orgId')
        .select(['org.name as orgName', 'org_member.accountId', 'account.name'])
        .where('org_member.orgId', '=', orgId)
        .where('org_member.role', '=', 'owner')
        .executeTakeFirst(),
  };
}
export type DirectoryStore = ReturnType<typeof createDirectoryStore>;

/** Logs that there was no place, once a day for each person: a provider asks at every sign-in. */
async function tellFull(transaction: Db, org: { orgId: string; name: string }, member: string, by: By): Promise<void> {
  const told = await transaction
    .selectFrom('audit_event')
    .select('id')
    .where('accountId', '=', org.orgId)
    .where('action', '=', 'org.full')
    .where('details', '=', JSON.stringify({ member }))
    .where('at', '>', by.at - day)
    .executeTakeFirst();
  if (!told) await recordAudit(transaction, orgEvent(org.orgId, org.name, 'org.full', by, { member }));
}
