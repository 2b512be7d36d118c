import { type InputOf, type ReplyOf, type getQuote, type getShop, type purchasePremium, appError, products } from '@sheaf/contract';
import type { Sandbox } from '#/billing/provider/sandbox.ts';
import type { Subscriptions } from '#/billing/subscriptions/service.ts';

interface Deps {
  readonly subscriptions: Subscriptions;
  /** Whether the user may create an organisation with a trial. */
  readonly mayTryOrg: (userId: string) => Promise<boolean>;
  /** Set only where the sandbox bills. */
  readonly sandbox: Sandbox | undefined;
  readonly isOperator: (userId: string) => Promise<boolean>;
}

type Purchase = Pick<InputOf<typeof purchasePremium>, 'recurlyBillingToken' | 'recurlyPlan' | 'coupon'>;

export type Purchases = ReturnType<typeof createPurchases>;

/** A user's own Premium: trial, purchase, renewal, end. Rejects as {@link Subscriptions} does. */
export function createPurchases({ subscriptions, mayTryOrg, sandbox, isOperator }: Deps) {
  const checkPlan = (plan: string): void => {
    if (plan !== products.premium.plan) throw appError('INVALID_PARAMETER', { field: 'plan' });
  };

  return {
    async shop(userId: string): Promise<ReplyOf<typeof getShop>> {
      const [purchaseAccountId, trialEligible, orgTrialEligible, subscription] = await Promise.all([
        subscriptions.purchaseAccountOf(userId),
        subscriptions.mayTry(userId, 'premium'),
        mayTryOrg(userId),
        subscriptions.find(userId, 'premium'),
      ]);
      return {
        tokenizer: subscriptions.tokenizer(),
        ...(purchaseAccountId !== undefined && { purchaseAccountId }),
        trialEligible,
        orgTrialEligible,
        ...(subscription && { subscription }),
      };
    },

    async startTrial(userId: string, trialDays: number): Promise<void> {
      if (trialDays !== products.premium.trialDays) throw appError('INVALID_PARAMETER', { field: 'trialDays' });
      await subscriptions.startTrial({ payerId: userId, actorId: userId, product: 'premium', units: products.premium.units.trial });
    },

    async purchase(userId: string, { recurlyBillingToken: token, recurlyPlan, coupon }: Purchase): Promise<{ purchaseAccountId: string }> {
      checkPlan(recurlyPlan);
      return subscriptions.purchase({ payerId: userId, actorId: userId, product: 'premium', units: 1, token, coupon });
    },

    async reactivate(userId: string, recurlyPlan: string, subOid: string, token: string | undefined): Promise<void> {
      checkPlan(recurlyPlan);
      await subscriptions.setAutoRenew({ payerId: userId, actorId: userId, subOid, autoRenew: true, token });
    },
    cancel: (userId: string, subOid: string) => subscriptions.setAutoRenew({ payerId: userId, actorId: userId, subOid, autoRenew: false }),
    refund: (userId: string, subOid: string) => subscriptions.refund({ payerId: userId, actorId: userId, subOid }),
    updateBilling: (userId: string, token: string) => subscriptions.updateCard({ payerId: userId, actorId: userId, token }),
    applyPromo: (userId: string, coupon: string) => subscriptions.keepCoupon(userId, coupon),
    quote: (userId: string, { product, units, coupon }: InputOf<typeof getQuote>) => subscriptions.quote(userId, product, units, coupon),
    billing: (userId: string) => subscriptions.billing(userId),
    subscriptions: (userId: string) => subscriptions.list(userId),
    receipt: (userId: string, invoiceId: string) => subscriptions.receipt(userId, invoiceId),

    /** Moves the sandbox's clock and processes what becomes due. Rejects with NOT_OPERATOR, and with NOT_FOUND without a sandbox. */
    async moveClock(userId: string, days: number): Promise<number> {
      if (!(await isOperator(userId))) throw appError('NOT_OPERATOR', {});
      if (!sandbox) throw appError('NOT_FOUND', {});
      const time = await sandbox.moveClock(days);
      await subscriptions.settle();
      return time;
    },
  };
}
