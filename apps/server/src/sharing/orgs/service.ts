import { type Org, appError, products } from '@sheaf/contract';
import type { Access } from '#/access/access.ts';
import type { Subscriptions } from '#/billing/subscriptions/service.ts';
import { isName, readName } from '#/identity/account/rules.ts';
import type { Accounts } from '#/identity/account/service.ts';
import type { Background } from '#/platform/background.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { closedMail } from './mails.ts';
import type { MemberRow, MemberStore } from './member-store.ts';
import type { OrgRights } from './rights.ts';
import type { Membership, OrgStore } from './store.ts';

const day = 86_400;

interface Deps {
  readonly store: OrgStore;
  readonly memberStore: MemberStore;
  readonly rights: OrgRights;
  readonly subscriptions: Pick<Subscriptions, 'find' | 'hasOrgPlan' | 'unitsOf' | 'mayTry' | 'startTrial' | 'cancelAll' | 'time'>;
  readonly accounts: Pick<Accounts, 'get' | 'requireProven'>;
  /** Prepares the removal of an organisation's links: reads what is needed now; the returned function removes them. */
  readonly prepareUnlinkingAll: (orgId: string) => Promise<() => Promise<void>>;
  /** Applies changes of a user's memberships at once. */
  readonly forgetAccess: Access['forget'];
  readonly mailer: Mailer;
  readonly background: Background;
  readonly newId: () => string;
  readonly now: Clock;
}

/** A request for a new organisation. */
interface Wish {
  readonly trialDays?: number | undefined;
  readonly orgName?: string | undefined;
}

export type Orgs = ReturnType<typeof createOrgs>;

/** Organisations: created with a trial, renamed, closed. Rejects with AppError; non-members always get ORG_NOT_FOUND. */
export function createOrgs(deps: Deps) {
  const { store, memberStore, rights, subscriptions, accounts, prepareUnlinkingAll, forgetAccess, mailer, background } = deps;
  const { newId, now } = deps;

  async function shown({ membershipId, orgId, name, role }: Membership, members: number): Promise<Org> {
    const [subscription, isRunning, units] = await Promise.all([
      subscriptions.find(orgId, 'org'),
      subscriptions.hasOrgPlan(orgId),
      subscriptions.unitsOf(orgId),
    ]);
    const isTrial = isRunning && subscription?.state === 'trial';
    return {
      orgOid: orgId,
      orgMembershipOid: membershipId,
      name,
      role,
      planName: isRunning ? (subscription?.name ?? products.org.name) : '',
      planMembers: units,
      members,
      state: isTrial ? 'trial' : isRunning ? 'active' : 'expired',
      ...(isTrial && { expirationDays: Math.max(0, Math.ceil((subscription.endsAt - (await subscriptions.time())) / day)) }),
    };
  }

  async function show(membership: Membership): Promise<Org> {
    const counts = await store.memberCounts([membership.orgId]);
    return shown(membership, counts.get(membership.orgId) ?? 0);
  }

  return {
    require: rights.require,
    show,

    async list(userId: string): Promise<Org[]> {
      const memberships = await rights.memberships(userId);
      const counts = await store.memberCounts(memberships.map(({ orgId }) => orgId));
      return Promise.all(memberships.map((membership) => shown(membership, counts.get(membership.orgId) ?? 0)));
    },

    /** Organisations that the user owns. */
    owned: async (userId: string): Promise<Membership[]> => (await rights.memberships(userId)).filter(({ role }) => role === 'owner'),

    /** Whether the user may create an organisation with a trial. */
    async mayTry(userId: string): Promise<boolean> {
      const isOwner = (await rights.memberships(userId)).some(({ role }) => role === 'owner');
      return !isOwner && (await subscriptions.mayTry(userId, 'org')) && !(await store.hasTried(userId));
    },

    /**
     * Creates an organisation with a trial, or without one if `trialDays` is 0. The product defines the trial's length, whatever the request says.
     * Rejects with NOT_ELIGIBLE for a user who owns an organisation or had a trial of one.
     */
    async enable(userId: string, { trialDays, orgName = '' }: Wish): Promise<Org> {
      if (trialDays !== undefined && trialDays < 0) throw appError('INVALID_PARAMETER', { field: 'trialDays' });
      await accounts.requireProven(userId);
      const { name: personName } = await accounts.get(userId);
      const own = `${personName}'s organisation`;
      const name = orgName === '' ? (isName(own) ? own : products.org.name) : readName(orgName);
      const [orgId, membershipId] = [newId(), newId()];
      const isTrial = trialDays !== 0 && !(await subscriptions.hasOrgPlan(orgId));
      if (isTrial && !(await subscriptions.mayTry(userId, 'org'))) throw appError('NOT_ELIGIBLE', {});
      if (!(await store.create({ orgId, membershipId, name, isTrial, actorId: userId, at: now() }))) throw appError('NOT_ELIGIBLE', {});
      if (isTrial) {
        try {
          await subscriptions.startTrial({ payerId: orgId, actorId: userId, product: 'org', units: products.org.units.trial });
        } catch (error) {
          await store.discard(orgId);
          throw error;
        }
      }
      return show({ membershipId, orgId, name, role: 'owner', accountId: userId });
    },

    /** Throws INVALID_NAME. */
    async rename(userId: string, orgOid: string, newName: string): Promise<Org> {
      const membership = await rights.require(userId, orgOid, 'rename');
      const name = readName(newName);
      if (name !== membership.name) await store.rename(membership, name, { actorId: userId, at: now() });
      return show({ ...membership, name });
    },

    /**
     * Closes the organisation: its subscription, its links with their secrets and grants, its memberships. Files at the sources stay. Requires its
     * name as confirmation, else INVALID_PARAMETER.
     */
    async close(userId: string, orgOid: string, typedName: string): Promise<void> {
      const membership = await rights.require(userId, orgOid, 'billing');
      if (typedName.trim() !== membership.name) throw appError('INVALID_PARAMETER', { field: 'name' });
      const members = await memberStore.list(orgOid);
      const unlinkAll = await prepareUnlinkingAll(orgOid);
      await subscriptions.cancelAll(orgOid);
      if (!(await store.close(membership, { actorId: userId, at: now() }))) throw appError('ORG_NOT_FOUND', {});
      for (const { accountId } of members) forgetAccess(accountId, orgOid);
      await unlinkAll();
      const owner = members.find(({ accountId }) => accountId === userId)?.name ?? '';
      tell(members, userId, (member) => closedMail(membership.name, owner, member.name));
    },
  };

  function tell(members: readonly MemberRow[], exceptId: string, letterTo: (member: MemberRow) => ReturnType<typeof closedMail>): void {
    for (const member of members.filter(({ accountId }) => accountId !== exceptId))
      background.start('mail organisation closed', () => mailer.send({ to: member.email, ...letterTo(member) }));
  }
}
