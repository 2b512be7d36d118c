import { type Problem, type Reply, refuse } from '../kit/index.ts';
import type { Declined, SimulatedAccount, SimulatedInvoice, SimulatedSubscription } from './state.ts';

const said = (status: number, type: string, more: object = {}): Reply => ({ status, json: { error: { type, message: type, ...more } } });
/** `no(404, 'not_found')`, to be thrown. */
export const no = (status: number, type: string, param?: string): Error =>
  refuse(said(status, type, param === undefined ? {} : { params: [{ param, message: 'is invalid' }] }));

const codes = {
  declined: ['soft', 'declined'],
  renewalDeclined: ['soft', 'insufficient_funds'],
  expired: ['hard', 'expired_card'],
  invalid: ['hard', 'invalid_card_number'],
  unavailable: ['communication', 'gateway_timeout'],
  approved: ['unknown', 'unknown'],
  missing: ['invalid', 'no_billing_information'],
} as const;

/** A card refusal in Recurly's format. */
export function declined({ outcome }: Declined): Error {
  const [category, code] = codes[outcome];
  return refuse(said(422, 'transaction', { transaction_error: { object: 'transaction_error', category, code, message: code } }));
}

/** Maps the kit's problems to Recurly's errors. */
export function refusal(problem: Problem): Reply {
  switch (problem.kind) {
    case 'badRequest':
      return said(400, 'bad_request');
    case 'unknownOperation':
      return said(404, 'not_found');
    case 'notSimulated':
      return said(501, 'missing_feature');
    case 'unauthorized':
      return said(401, 'unauthorized');
    case 'forbidden':
      return said(403, 'invalid_permissions');
    case 'rateLimited':
      return said(429, 'rate_limited');
    case 'broken':
      return said(500, 'internal_server_error');
  }
}

const time = (at: number): string => new Date(at).toISOString();
const mini = ({ id, code }: SimulatedAccount) => ({ id, object: 'account', code });

export const accountJson = (account: SimulatedAccount) => ({
  ...mini(account),
  state: 'active',
  has_live_subscription: account.subscriptions.some(({ state }) => state !== 'expired'),
  has_past_due_invoice: account.invoices.some(({ state }) => state === 'past_due'),
});

export const subscriptionJson = (account: SimulatedAccount, subscription: SimulatedSubscription) => ({
  id: subscription.id,
  object: 'subscription',
  account: mini(account),
  plan: { object: 'plan', code: subscription.plan, name: subscription.plan },
  state: subscription.state,
  current_period_started_at: time(subscription.periodStartsAt),
  current_period_ends_at: time(subscription.periodEndsAt),
  auto_renew: true,
  currency: subscription.currency,
  unit_amount: subscription.unitAmount,
  quantity: subscription.quantity,
  activated_at: time(subscription.activatedAt),
  created_at: time(subscription.activatedAt),
  ...(subscription.expiresAt !== undefined && { expires_at: time(subscription.expiresAt) }),
});

export const invoiceJson = (account: SimulatedAccount, invoice: SimulatedInvoice) => ({
  id: invoice.id,
  object: 'invoice',
  type: invoice.type,
  origin: invoice.origin,
  state: invoice.state,
  account: mini(account),
  subscription_ids: [invoice.subscriptionId],
  number: invoice.number,
  currency: 'USD',
  total: invoice.total,
  line_items: [{ object: 'line_item', description: invoice.description }],
  created_at: time(invoice.at),
});

export const billingInfoJson = ({ id, card }: SimulatedAccount) => ({
  id,
  object: 'billing_info',
  account_id: id,
  first_name: card?.firstName ?? '',
  last_name: card?.lastName ?? '',
  valid: true,
  payment_method: {
    object: 'credit_card',
    card_type: 'Visa',
    last_four: card?.lastFour ?? '',
    exp_month: card?.month,
    exp_year: card?.year,
  },
});
