import {
  type Billing,
  type Invoice,
  type ProductName,
  type Quote,
  type Session,
  type Subscription,
  type Tokenizer,
  appError,
  products,
} from '@sheaf/contract';
import type { BillingProvider } from '#/billing/provider/provider.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { answered } from './answers.ts';
import { createBuying } from './buying.ts';
import { createPaying } from './paying.ts';
import type { PurchaseStore } from './purchase-store.ts';
import { type SendBillMail, createBillMails } from './send-bill-mail.ts';
import { createSettling, eventOf } from './settling.ts';
import type { SubscriptionRow, SubscriptionStore } from './store.ts';
import { isRunning, toSubscription, upgradeOf } from './terms.ts';

/** A purchase of a product for an account: a person's (Premium) or an organisation's. */
export interface PurchaseWish {
  readonly payerId: string;
  /** The acting user, for the audit log. */
  readonly actorId: string;
  readonly product: ProductName;
  readonly units: number;
  /** The browser's token for the card; absent when the stored card pays. */
  readonly token?: string | undefined;
  readonly coupon?: string | undefined;
}
/** A change of a subscription by a user. */
interface SubscriptionWish {
  readonly payerId: string;
  readonly actorId: string;
  readonly subOid: string;
}

/**
 * Subscriptions of accounts: trials, purchases, renewals, ends. The payer is a person or an organisation; the billing provider is behind a port.
 * Rejects with AppError: 124, 610 to 615, 780 to 782, and INVALID_PARAMETER for a subscription of another payer. Where billing is off, everything is
 * included and every change is NOT_FOUND.
 */
export interface Subscriptions {
  /** The running subscription to a product, or else the latest ended one; undefined when there never was one. */
  find(payerId: string, product: ProductName): Promise<Subscription | undefined>;
  list(payerId: string): Promise<Subscription[]>;
  /** Whether Premium or its trial is running; always true where billing is off. */
  hasPremium(accountId: string): Promise<boolean>;
  hasOrgPlan(orgId: string): Promise<boolean>;
  /** How many members the organisation's plan covers; 0 without one. */
  unitsOf(orgId: string): Promise<number>;
  /** The Premium state for the menu bar. */
  upgradeOf(accountId: string): Promise<Pick<Session, 'upgradeState' | 'expirationDays'>>;
  /** Also for a person without an organisation. */
  mayTry(payerId: string, product: ProductName): Promise<boolean>;
  /** Rejects with NOT_ELIGIBLE when the payer has tried or bought the product before. */
  startTrial(wish: { payerId: string; actorId: string; product: ProductName; units: number }): Promise<Subscription>;
  /** Charges now; ends a running trial. */
  purchase(wish: PurchaseWish): Promise<{ purchaseAccountId: string }>;
  changeUnits(wish: { payerId: string; actorId: string; product: ProductName; units: number }): Promise<void>;
  /** Rejects with EXPIRED_CANNOT_RENEW for an ended one. With a token, that card pays from now on. */
  setAutoRenew(wish: SubscriptionWish & { autoRenew: boolean; token?: string | undefined }): Promise<void>;
  refund(wish: SubscriptionWish): Promise<void>;
  updateCard(wish: { payerId: string; actorId: string; token: string }): Promise<void>;
  /** Stores a promo code for the next purchase; rejects with INVALID_COUPON. */
  keepCoupon(payerId: string, coupon: string): Promise<void>;
  /** What a purchase would charge now; rejects with INVALID_COUPON for an unknown typed code. */
  quote(payerId: string, product: ProductName, units: number, coupon?: string): Promise<Quote>;
  billing(payerId: string): Promise<Billing>;
  invoices(payerId: string): Promise<Invoice[]>;
  /** The receipt of a paid or refunded invoice, as a page; rejects with NOT_FOUND for an invoice of another payer. */
  receipt(payerId: string, invoiceId: string): Promise<string>;
  /** The account at the billing provider; undefined before the first purchase. */
  purchaseAccountOf(payerId: string): Promise<string | undefined>;
  tokenizer(): Tokenizer;
  /** Billing's current time, in epoch seconds. */
  time(): Promise<number>;
  /** Cancels renewals when the account is closed. */
  cancelAll(payerId: string): Promise<void>;
  /** Looks up everything due and abandoned purchases; returns the errors of failed lookups. */
  settle(): Promise<readonly unknown[]>;
  /** Looks up one payer's subscriptions after a notification of the provider; ignores an unknown account. */
  settleAccount(purchaseAccountId: string): Promise<void>;
  /** Like `settleAccount`, by the provider's id of the subscription. */
  settleSubscription(providerId: string): Promise<void>;
}

interface Deps {
  readonly store: SubscriptionStore;
  readonly purchaseStore: PurchaseStore;
  readonly provider: BillingProvider;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  readonly later: (name: string, task: () => Promise<void>) => void;
  readonly newId: () => string;
  readonly throttle: Throttle;
  /** The real time, for leases and log entries. */
  readonly clock: Clock;
  readonly onTrouble: (error: unknown, what: string) => void;
  /** Called once when an account's Premium or trial has ended. */
  readonly premiumEnded: (accountId: string) => void;
}

export function createSubscriptions({
  store,
  purchaseStore,
  provider,
  mailer,
  publicUrl,
  later,
  newId,
  throttle,
  clock,
  onTrouble,
  premiumEnded,
}: Deps): Subscriptions {
  const write = createBillMails({ store, provider, mailer, publicUrl, later });
  const sendBillMail: SendBillMail = (news, row) => {
    write(news, row);
    if (row.product === 'premium' && row.state === 'expired') premiumEnded(row.payerId);
  };
  const settling = createSettling({ store, provider, sendBillMail, clock, onTrouble });
  const { countCard, ...paying } = createPaying({ store, provider, settling, throttle, clock });
  const buying = createBuying({ store, purchaseStore, provider, settling, sendBillMail, newId, clock, onTrouble });

  const isRunningFor = async (payerId: string, product: ProductName): Promise<boolean> =>
    isRunning(await store.find(payerId, product), await provider.time());

  /** The payer's running bought subscription, with its id at the provider; throws `over` for an ended one or a trial. */
  async function bought(
    row: SubscriptionRow | undefined,
    over: 'SUBSCRIPTION_EXPIRED' | 'EXPIRED_CANNOT_RENEW' = 'SUBSCRIPTION_EXPIRED',
  ): Promise<{ row: SubscriptionRow; providerId: string }> {
    if (row && !isRunning(row, await provider.time())) throw appError(over, {});
    if (!row?.providerId) throw appError('INVALID_PARAMETER', { field: 'subscription' });
    return { row, providerId: row.providerId };
  }

  return {
    async find(payerId, product) {
      const row = await store.find(payerId, product);
      return row && toSubscription(row, await provider.time());
    },
    async list(payerId) {
      const now = await provider.time();
      const all = (await store.list(payerId)).map((row) => toSubscription(row, now));
      return all.toSorted((a, b) => Number(a.state === 'expired') - Number(b.state === 'expired'));
    },
    hasPremium: (accountId) => isRunningFor(accountId, 'premium'),
    hasOrgPlan: (orgId) => isRunningFor(orgId, 'org'),
    async unitsOf(orgId) {
      const row = await store.find(orgId, 'org');
      return isRunning(row, await provider.time()) ? row.units : 0;
    },
    upgradeOf: async (accountId) => upgradeOf(await store.find(accountId, 'premium'), await provider.time()),
    mayTry: async (payerId, product) => !(await store.hasHad(payerId, product)) && !(product === 'org' && (await store.ownsOrg(payerId))),

    async startTrial({ payerId, actorId, product, units }) {
      const { trialDays, price, currency } = products[product];
      const startedAt = await provider.time();
      const endsAt = startedAt + trialDays * 86_400;
      const kept = {
        provider: '',
        providerId: null,
        autoRenew: 0,
        refundableUntil: null,
        refundedAt: null,
        checkAt: endsAt,
        leasedUntil: 0,
      };
      const row = { ...kept, id: newId(), payerId, product, state: 'trial', units, price, currency, startedAt, endsAt };
      const isNew = !(await store.hasHad(payerId, product));
      if (!isNew || !(await store.startTrial(row, eventOf(row, clock(), { actorId, action: 'billing.trial' }))))
        throw appError('NOT_ELIGIBLE', {});
      return toSubscription(row, startedAt);
    },

    async purchase(wish) {
      const { min, max } = products[wish.product].units;
      if (wish.units < min || wish.units > max) throw appError('INVALID_PARAMETER', { field: 'units' });
      if (wish.token) await countCard(wish.payerId);
      await buying.purchase(wish);
      return { purchaseAccountId: wish.payerId };
    },

    async changeUnits({ payerId, actorId, product, units }) {
      const { min, max } = products[product].units;
      if (units < min || units > max) throw appError('INVALID_PARAMETER', { field: 'units' });
      const { row, providerId } = await bought(await store.find(payerId, product));
      const seen = await answered(provider.changeUnits(payerId, providerId, units));
      await settling.reflect(row, seen, { actorId, action: 'billing.units', details: { units: String(units) } });
    },

    async setAutoRenew({ payerId, actorId, subOid, autoRenew, token }) {
      const { row, providerId } = await bought(
        await store.get(payerId, subOid),
        autoRenew ? 'EXPIRED_CANNOT_RENEW' : 'SUBSCRIPTION_EXPIRED',
      );
      if (token) await paying.updateCard({ payerId, actorId, token });
      const seen = await answered(provider.setAutoRenew(payerId, providerId, autoRenew));
      const newest = (await store.get(payerId, subOid)) ?? row;
      await settling.reflect(newest, seen, { actorId, action: 'billing.autoRenew', details: { state: autoRenew ? 'on' : 'off' } });
    },

    async refund({ payerId, actorId, subOid }) {
      const { row, providerId } = await bought(await store.get(payerId, subOid));
      if (row.refundableUntil === null || row.refundableUntil <= (await provider.time())) throw appError('NOT_REFUNDABLE', {});
      const seen = await answered(provider.refund(payerId, providerId));
      await settling.reflect(row, seen, { actorId, action: 'billing.refund' });
    },

    ...paying,
    tokenizer: () => provider.tokenizer,
    time: provider.time,

    async cancelAll(payerId) {
      for (const row of await store.list(payerId)) {
        if (row.state === 'expired' || !row.providerId) continue;
        await answered(provider.end(payerId, row.providerId));
        // Closing the account sends its own mail, so none about the subscription.
        await settling.settleOne(row, () => undefined);
      }
    },

    async settle() {
      return [...(await buying.resolveLeft()), ...(await settling.settleDue())];
    },

    async settleAccount(purchaseAccountId) {
      const payerId = await store.payerOf(purchaseAccountId);
      if (payerId !== undefined) await settling.sync(payerId);
    },
    async settleSubscription(providerId) {
      const row = await store.findAtProvider(providerId);
      if (row) await settling.settleOne(row);
    },
  };
}
