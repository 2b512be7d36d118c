import type { Handler, SimulatedRequest } from '../kit/index.ts';
import { accountJson, billingInfoJson, declined, invoiceJson, no, subscriptionJson } from './replies.ts';
import { Declined, type SimulatedAccount, type SimulatedSubscription, type Site, newRecurlyId, year } from './state.ts';

interface SentAccount {
  readonly code: string;
  readonly billing_info?: { readonly token_id?: string };
}
interface SentPurchase {
  readonly currency: string;
  readonly account: SentAccount;
  readonly subscriptions: readonly { readonly plan_code: string; readonly quantity?: number; readonly unit_amount: number }[];
  readonly coupon_codes?: readonly string[];
}

/** The calls of the site API that Sheaf uses. */
export function siteRoutes(site: Site): Record<string, Handler> {
  function byCode({ params }: SimulatedRequest): SimulatedAccount {
    const account = site.accounts.get((params['account_id'] ?? '').replace(/^code-/, ''));
    if (!account) throw no(404, 'not_found');
    return account;
  }
  function bySubscription({ params }: SimulatedRequest): { account: SimulatedAccount; subscription: SimulatedSubscription } {
    for (const account of site.accounts.values()) {
      const subscription = account.subscriptions.find(({ id }) => id === params['subscription_id']);
      if (subscription) return { account, subscription };
    }
    throw no(404, 'not_found');
  }
  function byInvoice({ params }: SimulatedRequest) {
    for (const account of site.accounts.values()) {
      const invoice = account.invoices.find(({ id }) => id === params['invoice_id']);
      if (invoice) return { account, invoice };
    }
    throw no(404, 'not_found');
  }
  /** Returns the card of a token, which is single-use. */
  function redeem(token: string) {
    const card = site.tokens.get(token);
    if (!card) throw no(422, 'invalid_token', 'token_id');
    site.tokens.delete(token);
    return card;
  }
  function charge(account: Pick<SimulatedAccount, 'card'>, isRenewal = false): void {
    try {
      site.charge(account, isRenewal);
    } catch (error) {
      throw error instanceof Declined ? declined(error) : error;
    }
  }
  const found = ({ code, billing_info: info }: SentAccount): SimulatedAccount => {
    const known = site.accounts.get(code) ?? { id: newRecurlyId(), code, card: undefined, subscriptions: [], invoices: [] };
    return info?.token_id === undefined ? known : { ...known, card: redeem(info.token_id) };
  };
  const live = (request: SimulatedRequest) => {
    const both = bySubscription(request);
    if (both.subscription.state === 'expired') throw no(422, 'immutable_subscription');
    return both;
  };
  const list = (data: readonly object[]) => ({ json: { object: 'list', has_more: false, next: '', data } });

  return {
    'POST /purchases'(request) {
      const {
        account: sent,
        subscriptions: [wanted],
        coupon_codes: coupons = [],
        currency,
      } = request.json<SentPurchase>();
      if (!wanted) throw no(422, 'validation', 'subscriptions');
      const off = coupons.map((code) => site.coupons.get(code));
      if (off.includes(undefined)) throw no(422, 'validation', 'coupon_codes');
      const account = found(sent);
      charge(account);
      const at = site.now();
      const { plan_code: plan, quantity = 1, unit_amount: unitAmount } = wanted;
      const period = { activatedAt: at, periodStartsAt: at, periodEndsAt: at + year, expiresAt: undefined };
      const subscription: SimulatedSubscription = { id: newRecurlyId(), plan, state: 'active', quantity, unitAmount, currency, ...period };
      account.subscriptions.unshift(subscription);
      site.accounts.set(account.code, account);
      const total = (quantity * unitAmount * (100 - (off[0] ?? 0))) / 100;
      const bill = { type: 'charge', origin: 'purchase', state: 'paid', total, subscriptionId: subscription.id } as const;
      const invoice = site.bill(account, { ...bill, description: `${plan} x ${quantity}` });
      return { status: 201, json: { object: 'invoice_collection', charge_invoice: invoiceJson(account, invoice), credit_invoices: [] } };
    },
    'POST /accounts'(request) {
      const account = found(request.json<SentAccount>());
      charge(account);
      site.accounts.set(account.code, account);
      return { status: 201, json: accountJson(account) };
    },
    'GET /accounts/{account_id}': (request) => ({ json: accountJson(byCode(request)) }),
    'GET /accounts/{account_id}/subscriptions'(request) {
      const account = byCode(request);
      return list(account.subscriptions.map((one) => subscriptionJson(account, one)));
    },
    'GET /accounts/{account_id}/invoices'(request) {
      const account = byCode(request);
      const state = request.query.get('state');
      return list(account.invoices.filter((one) => state === null || one.state === state).map((one) => invoiceJson(account, one)));
    },
    'GET /accounts/{account_id}/billing_info'(request) {
      const account = byCode(request);
      if (!account.card) throw no(404, 'not_found');
      return { json: billingInfoJson(account) };
    },
    'PUT /accounts/{account_id}/billing_info'(request) {
      const account = byCode(request);
      const card = redeem(request.json<{ readonly token_id: string }>().token_id);
      charge({ card });
      account.card = card;
      return { json: billingInfoJson(account) };
    },
    'POST /subscriptions/{subscription_id}/change'(request) {
      const { account, subscription } = live(request);
      const { quantity = subscription.quantity } = request.json<{ readonly quantity?: number }>();
      if (quantity === subscription.quantity) throw no(422, 'validation', 'quantity');
      const more = quantity - subscription.quantity;
      if (more > 0) {
        charge(account, true);
        const total = Math.round((more * subscription.unitAmount * 100 * (subscription.periodEndsAt - site.now())) / year) / 100;
        const bill = { type: 'charge', origin: 'immediate_change', state: 'paid', total, subscriptionId: subscription.id } as const;
        site.bill(account, { ...bill, description: `${more} more` });
      }
      subscription.quantity = quantity;
      return { status: 201, json: { id: newRecurlyId(), object: 'subscription_change', subscription_id: subscription.id, quantity } };
    },
    'PUT /subscriptions/{subscription_id}/cancel'(request) {
      const { account, subscription } = live(request);
      subscription.state = 'canceled';
      return { json: subscriptionJson(account, subscription) };
    },
    'PUT /subscriptions/{subscription_id}/reactivate'(request) {
      const { account, subscription } = live(request);
      subscription.state = 'active';
      return { json: subscriptionJson(account, subscription) };
    },
    'DELETE /subscriptions/{subscription_id}'(request) {
      const { account, subscription } = live(request);
      site.expire(subscription);
      const [last] = account.invoices.filter(({ subscriptionId, state }) => subscriptionId === subscription.id && state === 'paid');
      if (request.query.get('refund') === 'full' && last)
        site.bill(account, { ...last, type: 'credit', origin: 'refund', state: 'closed', total: -last.total, description: 'Refund' });
      return { json: subscriptionJson(account, subscription) };
    },
    'GET /invoices/{invoice_id}'(request) {
      const { account, invoice } = byInvoice(request);
      return { json: invoiceJson(account, invoice) };
    },
    'PUT /invoices/{invoice_id}/collect'(request) {
      const { account, invoice } = byInvoice(request);
      charge(account, true);
      invoice.state = 'paid';
      return { json: invoiceJson(account, invoice) };
    },
    'GET /coupons/{coupon_id}'(request) {
      const code = (request.params['coupon_id'] ?? '').replace(/^code-/, '');
      const percent = site.coupons.get(code);
      if (percent === undefined) throw no(404, 'not_found');
      const discount = { type: 'percent', percent };
      return { json: { id: newRecurlyId(), object: 'coupon', code, state: 'redeemable', discount } };
    },
  };
}
