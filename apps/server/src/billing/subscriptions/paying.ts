import { type Billing, type Invoice, type ProductName, type Quote, appError, products } from '@sheaf/contract';
import type { BillingProvider, Payer } from '#/billing/provider/provider.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Throttle } from '#/platform/throttle.ts';
import { answered } from './answers.ts';
import { receiptPage } from './receipt.ts';
import type { Settling } from './settling.ts';
import type { SubscriptionStore } from './store.ts';

/** Limits card tries, so that nobody can test stolen cards here. */
const cardAllowance = { tries: 20, seconds: 3600 };

/** Limits guesses of promo codes. */
const couponAllowance = { tries: 60, seconds: 3600 };

interface Deps {
  readonly store: SubscriptionStore;
  readonly provider: BillingProvider;
  readonly settling: Settling;
  readonly throttle: Throttle;
  readonly clock: Clock;
}

/** How an account pays: card, promo code, invoices and receipts. */
export function createPaying({ store, provider, settling, throttle, clock }: Deps) {
  /** Throws TOO_MANY_TRIES. */
  const countCard = (payerId: string): Promise<void> => throttle.count(`card ${payerId}`, cardAllowance);

  async function payerOf(payerId: string): Promise<Payer> {
    const addressee = await store.addressee(payerId);
    return { accountId: payerId, email: addressee?.email ?? '', name: addressee?.payerName ?? '' };
  }

  async function updateCard({ payerId, actorId, token }: { payerId: string; actorId: string; token: string }): Promise<void> {
    await countCard(payerId);
    await answered(provider.setCard(await payerOf(payerId), token));
    const event = { accountId: payerId, actorId, action: 'billing.card', subjectId: payerId, subjectName: 'card', at: clock() } as const;
    await store.keepAccount(payerId, event);
    await settling.sync(payerId);
  }

  const discountOf = (coupon: string, amount: number, currency: string): Promise<number | undefined> =>
    answered(provider.discountOf(coupon, amount, currency));

  async function invoices(payerId: string): Promise<Invoice[]> {
    const [all, addressee] = [await answered(provider.invoices(payerId)), await store.addressee(payerId)];
    const isOrg = addressee?.kind === 'organisation';
    const address = isOrg ? `/rest/org/receipt?orgOid=${encodeURIComponent(payerId)}&` : '/rest/purchase/receipt?';
    return all.map((invoice) => ({
      ...invoice,
      ...((invoice.state === 'paid' || invoice.state === 'refunded') && {
        receiptUrl: `${address}invoiceId=${encodeURIComponent(invoice.invoiceId)}`,
      }),
    }));
  }

  return {
    countCard,
    updateCard,

    async keepCoupon(payerId: string, typed: string): Promise<void> {
      const coupon = typed.trim();
      if (
        coupon === '' ||
        coupon.length > 64 ||
        (await discountOf(coupon, products.premium.price, products.premium.currency)) === undefined
      )
        throw appError('INVALID_COUPON', {});
      await store.keepCoupon(payerId, coupon);
    },

    /** What a purchase would charge now; without a typed code, with the stored one. Throws INVALID_COUPON, TOO_MANY_TRIES. */
    async quote(payerId: string, product: ProductName, units: number, typed = ''): Promise<Quote> {
      const { price: perUnit, currency } = products[product];
      const price = perUnit * units;
      const coupon = typed.trim() || (product === 'premium' ? (await store.account(payerId))?.coupon : undefined);
      if (!coupon) return { price, discount: 0, due: price, currency };
      if (typed.trim() !== '') await throttle.count(`promo codes of ${payerId}`, couponAllowance);
      const discount = await discountOf(coupon, price, currency);
      if (discount === undefined && typed.trim() !== '') throw appError('INVALID_COUPON', {});
      // The purchase itself refuses a stored code that has ended since.
      return { price, discount: discount ?? 0, due: price - (discount ?? 0), currency, ...(discount !== undefined && { coupon }) };
    },

    async billing(payerId: string): Promise<Billing> {
      const account = await store.account(payerId);
      const card = account?.purchaseAccountId ? await answered(provider.card(payerId)) : undefined;
      return {
        ...(account?.purchaseAccountId && { purchaseAccountId: account.purchaseAccountId }),
        ...(card && { card }),
        ...(account?.coupon && { coupon: account.coupon }),
        invoices: account?.purchaseAccountId ? await invoices(payerId) : [],
      };
    },
    invoices,
    async receipt(payerId: string, invoiceId: string): Promise<string> {
      const invoice = (await invoices(payerId)).find((one) => one.invoiceId === invoiceId && one.receiptUrl !== undefined);
      if (!invoice) throw appError('NOT_FOUND', {});
      const addressee = await store.addressee(payerId);
      return receiptPage(invoice, addressee?.payerName ?? '', provider.mode === 'sandbox');
    },
    purchaseAccountOf: async (payerId: string): Promise<string | undefined> =>
      (await store.account(payerId))?.purchaseAccountId ?? undefined,
  };
}
