import {
  type InputOf,
  type ReplyOf,
  type Subscription,
  appError,
  type getOrgBilling,
  type getOrgSubscription,
  products,
  type purchaseOrg,
} from '@sheaf/contract';
import type { Subscriptions } from '#/billing/subscriptions/service.ts';
import type { Clock } from '#/platform/clock.ts';
import type { InvitationStore } from './invitation-store.ts';
import type { OrgRights } from './rights.ts';
import type { Membership, OrgStore } from './store.ts';

interface Deps {
  readonly store: Pick<OrgStore, 'memberCounts'>;
  readonly invitationStore: Pick<InvitationStore, 'list'>;
  readonly rights: OrgRights;
  readonly subscriptions: Pick<
    Subscriptions,
    | 'find'
    | 'billing'
    | 'purchaseAccountOf'
    | 'tokenizer'
    | 'purchase'
    | 'changeUnits'
    | 'refund'
    | 'setAutoRenew'
    | 'updateCard'
    | 'receipt'
  >;
  readonly now: Clock;
}

export type OrgPaying = ReturnType<typeof createOrgPaying>;

/** Purchases and payments of an organisation, for its owner only. Rejects with AppError. */
export function createOrgPaying({ store, invitationStore, rights, subscriptions, now }: Deps) {
  const owned = (userId: string, orgOid: string): Promise<Membership> => rights.require(userId, orgOid, 'billing');

  async function takenUnits(orgOid: string): Promise<number> {
    const [counts, invitations] = await Promise.all([store.memberCounts([orgOid]), invitationStore.list(orgOid, now())]);
    return (counts.get(orgOid) ?? 0) + invitations.length;
  }

  /** Throws INVALID_PARAMETER for a number of units that the product does not offer, and TOO_FEW_UNITS for fewer than are in use. */
  async function checkUnits({ orgId, name }: Membership, units: number): Promise<void> {
    const { min, max } = products.org.units;
    if (units < min || units > max) throw appError('INVALID_PARAMETER', { field: 'units' });
    const members = await takenUnits(orgId);
    if (units < members) throw appError('TOO_FEW_UNITS', { organisation: name, members: String(members) });
  }

  async function subscriptionOf({ orgId, name }: Membership): Promise<Subscription> {
    const subscription = await subscriptions.find(orgId, 'org');
    if (!subscription) throw appError('ORG_EXPIRED', { organisation: name });
    return subscription;
  }

  return {
    async subscription(userId: string, orgOid: string): Promise<ReplyOf<typeof getOrgSubscription>> {
      await owned(userId, orgOid);
      const [subscription, purchaseAccountId, counts] = await Promise.all([
        subscriptions.find(orgOid, 'org'),
        subscriptions.purchaseAccountOf(orgOid),
        store.memberCounts([orgOid]),
      ]);
      return {
        tokenizer: subscriptions.tokenizer(),
        members: counts.get(orgOid) ?? 0,
        ...(purchaseAccountId !== undefined && { purchaseAccountId }),
        ...(subscription && { subscription }),
      };
    },

    async purchase(userId: string, input: InputOf<typeof purchaseOrg>): Promise<{ purchaseAccountId: string }> {
      const { orgOid, recurlyPlan, units, recurlyBillingToken: token, coupon } = input;
      const org = await owned(userId, orgOid);
      if (recurlyPlan !== products.org.plan) throw appError('INVALID_PARAMETER', { field: 'recurlyPlan' });
      await checkUnits(org, units);
      const paidBy = { ...(token && { token }), ...(coupon && { coupon }) };
      return subscriptions.purchase({ payerId: orgOid, actorId: userId, product: 'org', units, ...paidBy });
    },

    async changeUnits(userId: string, orgOid: string, units: number): Promise<void> {
      const org = await owned(userId, orgOid);
      await checkUnits(org, units);
      await subscriptions.changeUnits({ payerId: orgOid, actorId: userId, product: 'org', units });
    },

    async refund(userId: string, orgOid: string): Promise<void> {
      const { subOid } = await subscriptionOf(await owned(userId, orgOid));
      await subscriptions.refund({ payerId: orgOid, actorId: userId, subOid });
    },

    async setAutoRenew(userId: string, orgOid: string, autoRenew: boolean): Promise<void> {
      const { subOid } = await subscriptionOf(await owned(userId, orgOid));
      await subscriptions.setAutoRenew({ payerId: orgOid, actorId: userId, subOid, autoRenew });
    },

    async billing(userId: string, orgOid: string): Promise<ReplyOf<typeof getOrgBilling>> {
      await owned(userId, orgOid);
      return { tokenizer: subscriptions.tokenizer(), billing: await subscriptions.billing(orgOid) };
    },

    /** Returns a printable page; rejects with NOT_FOUND for an invoice of another organisation. */
    async receipt(userId: string, orgOid: string, invoiceId: string): Promise<string> {
      await owned(userId, orgOid);
      return subscriptions.receipt(orgOid, invoiceId);
    },

    async updateCard(userId: string, orgOid: string, token: string): Promise<void> {
      await owned(userId, orgOid);
      await subscriptions.updateCard({ payerId: orgOid, actorId: userId, token });
    },
  };
}
