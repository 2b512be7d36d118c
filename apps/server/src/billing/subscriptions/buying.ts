import { appError } from '@sheaf/contract';
import { BillingRefused, type BillingProvider, type ProviderSubscription } from '#/billing/provider/provider.ts';
import type { Clock } from '#/platform/clock.ts';
import { answerOf } from './answers.ts';
import type { IntentRow, PurchaseStore } from './purchase-store.ts';
import type { PurchaseWish } from './service.ts';
import { type Settling, eventOf } from './settling.ts';
import type { SubscriptionRow, SubscriptionStore } from './store.ts';
import type { Tell } from './telling.ts';
import { isRunning, productOf } from './terms.ts';

/** Seconds that a purchase has at the provider; after them it is found out what became of it. Longer than the provider's own deadline. */
const leaseFor = 120;

interface Deps {
  readonly store: SubscriptionStore;
  readonly purchaseStore: PurchaseStore;
  readonly provider: BillingProvider;
  readonly settling: Settling;
  readonly tell: Tell;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly onTrouble: (error: unknown, what: string) => void;
}

/**
 * Purchases that charge once. Before any money moves it is written down that a purchase begins; when its end was not written down too, be it that
 * the process died or that the provider did not answer, the provider is asked what became of it before anything is charged again.
 */
export function createBuying({ store, purchaseStore, provider, settling, tell, newId, clock, onTrouble }: Deps) {
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
    if (await purchaseStore.endPurchase(intent.id, row, event)) tell('bought', row);
  }

  /** Finds out what became of a purchase that was left; true when it has gone through. */
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

  /** Room for a purchase, or undefined when an earlier one turns out to have gone through. */
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
      // A code that was kept, and has ended since, would stand in the way of every purchase: nobody could take it back.
      if (reason === 'coupon' && code && code === kept?.coupon) await store.dropCoupon(payerId, code);
      // There is something at the provider that Sheaf does not know of: whoever looks next finds it.
      if (reason === 'subscribed') await purchaseStore.leaveIntent(intent.id, clock());
      // What was refused did not happen. What was not answered may still be under way there, so that nothing is charged until the lease is over.
      else if (reason !== 'unanswered') await purchaseStore.dropIntent(intent.id);
      throw answerOf(error);
    }
  }

  return {
    /** Rejects with ALREADY_SUBSCRIBED, PURCHASE_UNDER_WAY and what the provider refuses. A trial gives way to what is bought. */
    async purchase(wish: PurchaseWish): Promise<void> {
      const { payerId, product } = wish;
      const now = await provider.time();
      let running = await store.find(payerId, product);
      // Ended, but nobody has looked yet: its renewal may have gone through all the same.
      if (running && running.state !== 'expired' && !isRunning(running, now)) {
        await settling.settleOne(running);
        running = await store.find(payerId, product);
      }
      if (running?.state !== 'trial' && isRunning(running, now)) throw appError('ALREADY_SUBSCRIBED', {});
      const intent = await begin(wish);
      if (!intent) return;
      // Another purchase may have gone through between the look above and the beginning of this one; from here on none can.
      running = await store.find(payerId, product);
      if (running?.state !== 'trial' && isRunning(running, now)) {
        await purchaseStore.dropIntent(intent.id);
        throw appError('ALREADY_SUBSCRIBED', {});
      }
      await stand(intent, await charge(intent, wish));
    },

    /** Finds out what became of all purchases that were left; returns the errors of those for which it could not. */
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
