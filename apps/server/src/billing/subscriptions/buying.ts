import { appError } from '@sheaf/contract';
import { BillingRefused, type BillingProvider, type ProviderSubscription } from '#/billing/provider/provider.ts';
import type { Clock } from '#/platform/clock.ts';
import { answerOf } from './answers.ts';
import type { IntentRow, PurchaseStore } from './purchase-store.ts';
import type { SendBillMail } from './send-bill-mail.ts';
import type { PurchaseWish } from './service.ts';
import { type Settling, eventOf } from './settling.ts';
import type { SubscriptionRow, SubscriptionStore } from './store.ts';
import { isRunning, productOf } from './terms.ts';

/** Lease of a purchase in seconds, longer than the provider's own deadline. When it expires, the outcome is looked up at the provider. */
const leaseFor = 120;

interface Deps {
  readonly store: SubscriptionStore;
  readonly purchaseStore: PurchaseStore;
  readonly provider: BillingProvider;
  readonly settling: Settling;
  readonly sendBillMail: SendBillMail;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly onTrouble: (error: unknown, what: string) => void;
}

/**
 * Purchases that charge once. Stores an intent before any money moves. If the outcome was not stored, because the process died or the provider did
 * not answer, asks the provider for it before anything is charged again.
 */
export function createBuying({ store, purchaseStore, provider, settling, sendBillMail, newId, clock, onTrouble }: Deps) {
  async function stand(intent: IntentRow, sold: ProviderSubscription): Promise<void> {
    const row: SubscriptionRow = {
      id: newId(),
      payerId: intent.payerId,
      product: intent.product,
      provider: provider.mode,
      providerId: sold.id,
      state: sold.state,
      autoRenew: sold.autoRenew ? 1 : 0,
      units: sold.units,
      price: sold.price,
      currency: sold.currency,
      startedAt: sold.startedAt,
      endsAt: sold.endsAt,
      refundableUntil: sold.refundableUntil ?? null,
      refundedAt: null,
      checkAt: Math.min(sold.endsAt, sold.startedAt + 86_400),
      leasedUntil: 0,
    };
    const event = eventOf(row, clock(), { actorId: intent.actorId, action: 'billing.purchase' });
    if (await purchaseStore.endPurchase(intent.id, row, event)) sendBillMail('bought', row);
  }

  /** Looks up the outcome of an abandoned purchase; true when it went through. */
  async function resolve(intent: IntentRow): Promise<boolean> {
    const { plan } = productOf(intent.product);
    const known = new Set((await store.list(intent.payerId)).map(({ providerId }) => providerId));
    const sold = (await provider.subscriptions(intent.payerId)).find(
      (one) => one.plan === plan && one.state !== 'expired' && !known.has(one.id),
    );
    if (sold) await stand(intent, sold);
    else await purchaseStore.dropIntent(intent.id);
    return sold !== undefined;
  }

  /** Stores the intent of a new purchase; undefined when an earlier one turns out to have gone through. */
  async function begin({ payerId, actorId, product }: PurchaseWish): Promise<IntentRow | undefined> {
    const fresh = () => ({ id: newId(), payerId, actorId, product, provider: provider.mode, leasedUntil: clock() + leaseFor });
    const begun = await purchaseStore.beginPurchase(fresh());
    if (begun) return begun;
    const left = await purchaseStore.intent(payerId, product);
    if (left && (left.leasedUntil > clock() || !(await purchaseStore.takeOver(left, clock() + leaseFor))))
      throw appError('PURCHASE_UNDER_WAY', {});
    if (left && (await resolve(left))) return undefined;
    const second = await purchaseStore.beginPurchase(fresh());
    if (!second) throw appError('PURCHASE_UNDER_WAY', {});
    return second;
  }

  async function charge(intent: IntentRow, { payerId, product, units, token, coupon }: PurchaseWish): Promise<ProviderSubscription> {
    const addressee = await store.addressee(payerId);
    const { plan, price, currency } = productOf(product);
    const kept = await store.account(payerId);
    const code = coupon?.trim() || kept?.coupon;
    const payer = { accountId: payerId, email: addressee?.email ?? '', name: addressee?.payerName ?? '' };
    try {
      return await provider.purchase({
        ...payer,
        plan,
        units,
        price,
        currency,
        key: intent.id,
        ...(token && { token }),
        ...(code && { coupon: code }),
      });
    } catch (error) {
      const reason = error instanceof BillingRefused ? error.reason : 'unanswered';
      // Drops a stored code that has ended since: it would block every purchase, and the user cannot remove it.
      if (reason === 'coupon' && code && code === kept?.coupon) await store.dropCoupon(payerId, code);
      // The provider has a subscription that Sheaf does not know: the next lookup finds it.
      if (reason === 'subscribed') await purchaseStore.leaveIntent(intent.id, clock());
      // A refused purchase did not happen. An unanswered one may still be under way at the provider, so nothing is charged until the lease expires.
      else if (reason !== 'unanswered') await purchaseStore.dropIntent(intent.id);
      throw answerOf(error);
    }
  }

  return {
    /** Rejects with ALREADY_SUBSCRIBED, PURCHASE_UNDER_WAY and the provider's refusals. A purchase replaces a trial. */
    async purchase(wish: PurchaseWish): Promise<void> {
      const { payerId, product } = wish;
      const now = await provider.time();
      let running = await store.find(payerId, product);
      // Past its end but not yet looked up: its renewal may have gone through.
      if (running && running.state !== 'expired' && !isRunning(running, now)) {
        await settling.settleOne(running);
        running = await store.find(payerId, product);
      }
      if (running?.state !== 'trial' && isRunning(running, now)) throw appError('ALREADY_SUBSCRIBED', {});
      const intent = await begin(wish);
      if (!intent) return;
      // Reads again: another purchase may have gone through before this intent was stored; none can from here on.
      running = await store.find(payerId, product);
      if (running?.state !== 'trial' && isRunning(running, now)) {
        await purchaseStore.dropIntent(intent.id);
        throw appError('ALREADY_SUBSCRIBED', {});
      }
      await stand(intent, await charge(intent, wish));
    },

    /** Looks up the outcome of all abandoned purchases; returns the errors of failed lookups. */
    async resolveLeft(): Promise<unknown[]> {
      const errors: unknown[] = [];
      for (const intent of await purchaseStore.abandoned(clock())) {
        if (!(await purchaseStore.takeOver(intent, clock() + leaseFor))) continue;
        try {
          await resolve(intent);
        } catch (error) {
          onTrouble(error, 'a purchase that was left could not be looked at');
          errors.push(error);
        }
      }
      return errors;
    },
  };
}
