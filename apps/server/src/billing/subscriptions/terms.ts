import { type Session, type Subscription, type SubscriptionState, graceDays, products } from '@sheaf/contract';
import type { SubscriptionRow } from './store.ts';

const day = 86_400;

export const productOf = (name: string) => (name === 'org' ? products.org : products.premium);

/** State of the subscription at `now`, even before a due renewal or end has been looked up. */
export function stateAt({ state, autoRenew, endsAt }: SubscriptionRow, now: number): SubscriptionState {
  if (state === 'trial') return endsAt > now ? 'trial' : 'expired';
  if (state !== 'active' && state !== 'pastDue') return 'expired';
  // A renewing subscription stays active while its renewal is looked up or retried.
  const runsUntil = autoRenew === 1 || state === 'pastDue' ? endsAt + graceDays * day : endsAt;
  return runsUntil > now ? state : 'expired';
}

export const isRunning = (row: SubscriptionRow | undefined, now: number): row is SubscriptionRow =>
  row !== undefined && stateAt(row, now) !== 'expired';

/** Converts a row to the account's view of it. */
export function toSubscription(row: SubscriptionRow, now: number): Subscription {
  const { id, product, autoRenew, units, price, currency, startedAt, endsAt, refundableUntil, refundedAt } = row;
  const { name, plan } = productOf(product);
  const state = stateAt(row, now);
  const canRefund = refundableUntil !== null && refundableUntil > now && (state === 'active' || state === 'pastDue');
  return {
    subOid: id,
    product,
    name,
    plan,
    state,
    autoRenew: autoRenew === 1 && state !== 'expired',
    units,
    price,
    currency,
    startedAt,
    endsAt,
    ...(canRefund && { refundableUntil }),
    ...(refundedAt !== null && { refundedAt }),
  };
}

/** Premium state for the menu bar: days left of a trial (the last day counts), an upgrade offer, or nothing with Premium. */
export function upgradeOf(row: SubscriptionRow | undefined, now: number): Pick<Session, 'upgradeState' | 'expirationDays'> {
  if (!isRunning(row, now)) return { upgradeState: 'upgrade' };
  return row.state === 'trial' ? { upgradeState: 'trial', expirationDays: Math.ceil((row.endsAt - now) / day) } : { upgradeState: '' };
}
