import type { Card } from '@sheaf/contract';
import recurly, { type Client, type Invoice } from 'recurly';
import type { Clock } from '#/platform/clock.ts';
import { BillingRefused, type BillingProvider, type Payer, type ProviderSubscription } from './provider.ts';
import { isLive, toBill, toOurs } from './recurly-answers.ts';
import { isUnknown, refusalOf } from './recurly-errors.ts';
import { RecurlyHttp } from './recurly-http.ts';

/** Most invoices shown, and most subscriptions read, per account. */
const most = 200;

interface Deps {
  readonly apiKey: string;
  readonly publicKey: string;
  readonly apiUrl: string;
  readonly scriptUrl: string;
  readonly newId: () => string;
  readonly now: Clock;
}

export interface Recurly extends BillingProvider {
  /** The account that an invoice belongs to; undefined when there is no such invoice. */
  accountOfInvoice(id: string): Promise<string | undefined>;
}

/**
 * Billing by Recurly (API v2021-02-25), which charges, renews and retries failed charges. Recurly's account codes are Sheaf's account ids. The
 * browser sends cards to Recurly directly; Sheaf sees only their tokens.
 */
export function createRecurly({ apiKey, publicKey, apiUrl, scriptUrl, newId, now }: Deps): Recurly {
  /** Sends a request to Recurly; each has its own Idempotency-Key unless one is given. */
  async function ask<T>(question: (client: Client) => Promise<T>, key = newId()): Promise<T> {
    try {
      return await question(new recurly.Client(apiKey, { httpAdapter: new RecurlyHttp(apiUrl, key) }));
    } catch (error) {
      throw isUnknown(error) ? error : refusalOf(error);
    }
  }
  /** Like `ask`, but returns undefined for 404. */
  async function find<T>(question: (client: Client) => Promise<T>): Promise<T | undefined> {
    try {
      return await ask(question);
    } catch (error) {
      if (isUnknown(error)) return undefined;
      throw error;
    }
  }
  const must = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      throw refusalOf(error);
    }
  };

  async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
    const all: T[] = [];
    for await (const item of items) if (all.push(item) >= most) break;
    return all;
  }
  const codeOf = (accountId: string): string => `code-${accountId}`;
  const unpaid = async (accountId: string): Promise<Invoice[]> =>
    (await find((client) => gather(client.listAccountInvoices(codeOf(accountId), { params: { state: 'past_due' } }).each()))) ?? [];

  async function subscriptions(accountId: string): Promise<ProviderSubscription[]> {
    const all = await find((client) => gather(client.listAccountSubscriptions(codeOf(accountId), { params: { limit: most } }).each()));
    if (!all?.some(isLive)) return (all ?? []).map((one) => toOurs(one, []));
    const open = await unpaid(accountId);
    return all.map((one) => toOurs(one, open));
  }

  async function one(accountId: string, id: string): Promise<ProviderSubscription> {
    const found = (await subscriptions(accountId)).find((subscription) => subscription.id === id);
    if (!found) throw new BillingRefused('expired');
    return found;
  }

  /** Retries unpaid invoices at once. */
  async function collect(accountId: string): Promise<void> {
    for (const { id } of await unpaid(accountId)) if (id) await must(ask((client) => client.collectInvoice(id)));
  }

  const accountOf = ({ accountId, email, name }: Payer) => ({ code: accountId, email, firstName: name.slice(0, 255) });

  return {
    mode: 'recurly',
    tokenizer: { mode: 'recurly', publicKey, scriptUrl },
    time: async () => now(),

    async purchase({ plan, units, price, currency, token, coupon, key, ...payer }) {
      const account = { ...accountOf(payer), ...(token && { billingInfo: { tokenId: token } }) };
      const subscription = { planCode: plan, quantity: units, unitAmount: price / 100, autoRenew: true };
      const sold = { currency, account, subscriptions: [subscription], ...(coupon && { couponCodes: [coupon] }) };
      const { chargeInvoice } = await must(ask((client) => client.createPurchase(sold), key));
      const [id] = chargeInvoice?.subscriptionIds ?? [];
      // The charge has happened: an error of a later request must not be reported as a refusal.
      const all = await subscriptions(payer.accountId).catch((error: unknown) => {
        throw new BillingRefused('unanswered', 'Recurly does not show what was bought', error);
      });
      const bought = all.find((each) => each.id === id) ?? all.find((each) => each.plan === plan && each.state !== 'expired');
      if (!bought) throw new BillingRefused('unanswered', 'Recurly does not show what was bought');
      return bought;
    },

    subscriptions,

    async changeUnits(accountId, id, units) {
      const { units: before } = await one(accountId, id);
      const change = { timeframe: 'now', quantity: units };
      if (units !== before) await must(ask((client) => client.createSubscriptionChange(id, change)));
      return one(accountId, id);
    },

    async setAutoRenew(accountId, id, autoRenew) {
      const { state, autoRenew: before } = await one(accountId, id);
      if (state === 'expired') throw new BillingRefused('expired');
      if (autoRenew !== before)
        await must(ask((client) => (autoRenew ? client.reactivateSubscription(id) : client.cancelSubscription(id))));
      if (autoRenew) await collect(accountId);
      return one(accountId, id);
    },

    async refund(accountId, id) {
      await must(ask((client) => client.terminateSubscription(id, { params: { refund: 'full' } })));
      return one(accountId, id);
    },

    async end(accountId, id) {
      const { state } = await one(accountId, id);
      if (state !== 'expired') await must(ask((client) => client.terminateSubscription(id, { params: { refund: 'none' } })));
    },

    async setCard(payer, token) {
      const { accountId } = payer;
      const billingInfo = { tokenId: token };
      const known = await find((client) => client.getAccount(codeOf(accountId)));
      if (known) await must(ask((client) => client.updateBillingInfo(codeOf(accountId), billingInfo)));
      else await must(ask((client) => client.createAccount({ ...accountOf(payer), billingInfo })));
      await collect(accountId);
    },

    async card(accountId): Promise<Card | undefined> {
      const info = await find((client) => client.getBillingInfo(codeOf(accountId)));
      const { cardType, lastFour, expMonth, expYear } = info?.paymentMethod ?? {};
      if (!info || !lastFour) return undefined;
      const holder = `${info.firstName ?? ''} ${info.lastName ?? ''}`.trim();
      return { holder, brand: cardType ?? 'Card', lastFour, expireMonth: expMonth ?? 0, expireYear: expYear ?? 0 };
    },

    async invoices(accountId) {
      const all = await find((client) => gather(client.listAccountInvoices(codeOf(accountId), { params: { limit: most } }).each()));
      return (all ?? []).map(toBill);
    },

    async accountOfInvoice(id) {
      const invoice = await find((client) => client.getInvoice(id));
      return invoice?.account?.code ?? undefined;
    },

    async discountOf(code, amount, currency) {
      const coupon = await find((client) => client.getCoupon(codeOf(code)));
      if (coupon?.state !== 'redeemable') return undefined;
      const { percent, currencies } = coupon.discount ?? {};
      // https://recurly.com/developers/api/v2021-02-25/#operation/get_coupon: a percentage, or an amount for each currency in its main unit.
      const fixed = currencies?.find((one) => one.currency === currency)?.amount ?? 0;
      return Math.min(amount, percent ? Math.round((amount * percent) / 100) : Math.round(fixed * 100));
    },
  };
}
