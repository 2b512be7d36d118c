import { type GivenOrgRole, type OrgMember, type OrgRole, type ReplyOf, appError, type listOrgMembers, products } from '@sheaf/contract';
import type { Access } from '#/access/access.ts';
import type { Subscriptions } from '#/billing/subscriptions/service.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import type { InvitationStore } from './invitation-store.ts';
import { removedMail, transferredMail } from './mails.ts';
import type { MemberStore } from './member-store.ts';
import type { OrgRights } from './rights.ts';

interface Deps {
  readonly memberStore: MemberStore;
  readonly invitationStore: InvitationStore;
  readonly rights: OrgRights;
  readonly subscriptions: Pick<Subscriptions, 'find' | 'hasOrgPlan' | 'unitsOf'>;
  /** Applies changes of a user's memberships at once. */
  readonly forgetAccess: Access['forget'];
  readonly mailer: Mailer;
  readonly background: Background;
  readonly publicUrl: string;
  readonly now: Clock;
}

export type OrgMembers = ReturnType<typeof createOrgMembers>;

/** Members of an organisation and their roles. Rejects with AppError. */
export function createOrgMembers(deps: Deps) {
  const { memberStore, invitationStore, rights, subscriptions, forgetAccess, mailer, background, publicUrl, now } = deps;

  return {
    /** The owner, then members and open invitations, oldest first. */
    async list(userId: string, orgOid: string): Promise<ReplyOf<typeof listOrgMembers>> {
      await rights.require(userId, orgOid, 'members');
      const [members, invitations, subscription, isRunning, units] = await Promise.all([
        memberStore.list(orgOid),
        invitationStore.list(orgOid, now()),
        subscriptions.find(orgOid, 'org'),
        subscriptions.hasOrgPlan(orgOid),
        subscriptions.unitsOf(orgOid),
      ]);
      const isOwner = ({ role }: { readonly role: OrgRole }): number => Number(role === 'owner');
      const joined = members
        .toSorted((a, b) => isOwner(b) - isOwner(a))
        .map(({ id, accountId, name, email, role, joinedAt }): OrgMember => ({
          memberId: id,
          name,
          email,
          role,
          isInvited: false,
          isYou: accountId === userId,
          since: joinedAt,
        }));
      const invited = invitations.map(({ id, email, role, createdAt }): OrgMember => ({
        memberId: id,
        name: '',
        email,
        role: role === 'admin' ? 'admin' : 'member',
        isInvited: true,
        isYou: false,
        since: createdAt,
      }));
      return {
        orgOid,
        planName: isRunning ? (subscription?.name ?? products.org.name) : '',
        planMembers: String(units),
        members: [...joined, ...invited],
      };
    },

    /** Rejects with ROLE_FORBIDS for the owner, and MEMBER_NOT_FOUND. */
    async changeRole(userId: string, orgOid: string, memberId: string, role: GivenOrgRole): Promise<void> {
      const org = await rights.require(userId, orgOid, 'members');
      const act = { actorId: userId, at: now() };
      const member = await memberStore.changeRole(org, memberId, role, act);
      if (member) forgetAccess(member.accountId);
      else if (!(await invitationStore.changeRole(org, memberId, role, act))) throw await notChangeable(org, memberId);
    },

    /** Removes a member and their shares of the organisation's files, or withdraws an invitation. Rejects as `changeRole`. */
    async remove(userId: string, orgOid: string, memberId: string): Promise<void> {
      const org = await rights.require(userId, orgOid, 'members');
      const act = { actorId: userId, at: now() };
      const member = await memberStore.remove(org, memberId, act);
      if (member) {
        forgetAccess(member.accountId, orgOid);
        if (member.accountId !== userId)
          background.start('mail organisation removal', () => mailer.send({ to: member.email, ...removedMail(org.name, member.name) }));
      } else if (!(await invitationStore.remove(org, memberId, act))) throw await notChangeable(org, memberId);
    },

    /** Rejects with ORG_OWNED for the owner. */
    async leave(userId: string, orgOid: string): Promise<void> {
      const org = await rights.require(userId, orgOid, 'browse');
      const left = await memberStore.remove(org, org.membershipId, { actorId: userId, at: now() });
      forgetAccess(userId, left && orgOid);
      if (left) return;
      const isStillIn = await rights.find(userId, orgOid);
      throw isStillIn ? appError('ORG_OWNED', { organisation: org.name }) : appError('ORG_NOT_FOUND', {});
    },

    /** Makes a member the owner; the former owner stays as an admin. Rejects with MEMBER_NOT_FOUND. */
    async transfer(userId: string, orgOid: string, memberId: string): Promise<void> {
      const org = await rights.require(userId, orgOid, 'billing');
      if (memberId === org.membershipId) return;
      const owner = await memberStore.transfer(org, memberId, { actorId: userId, at: now() });
      if (!owner) throw appError('MEMBER_NOT_FOUND', {});
      forgetAccess(userId);
      forgetAccess(owner.accountId);
      const former = (await memberStore.find(orgOid, org.membershipId))?.name ?? org.name;
      const link = `${publicUrl}/org/billing?${new URLSearchParams({ orgOid }).toString()}`;
      background.start('mail organisation transfer', () =>
        mailer.send({ to: owner.email, ...transferredMail(org.name, former, owner.name, link) }),
      );
    },
  };

  async function notChangeable(org: { orgId: string; name: string }, memberId: string) {
    const role: OrgRole | undefined = (await memberStore.find(org.orgId, memberId))?.role;
    return role === 'owner' ? appError('ROLE_FORBIDS', { name: org.name }) : appError('MEMBER_NOT_FOUND', {});
  }
}
