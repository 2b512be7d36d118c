import { type Session, type Subscription, type SubscriptionState, graceDays, products } from '@sheaf/contract';
import type { SubscriptionRow } from './store.ts';

const day = 86_400;

export const productOf = (name: string) => (name === 'org' ? products.org : products.premium);

/** How the subscription stands at that time, also before anybody has looked at what has become due. */
export function stateAt({ state, autoRenew, endsAt }: SubscriptionRow, now: number): SubscriptionState {
  if (state === 'trial') return endsAt > now ? 'trial' : 'expired';
  if (state !== 'active' && state !== 'pastDue') return 'expired';
  // What renews runs on while its renewal is found out about, or tried again.
  const runsUntil = autoRenew === 1 || state === 'pastDue' ? endsAt + graceDays * day : endsAt;
  return runsUntil > now ? state : 'expired';
}

export const isRunning = (row: SubscriptionRow | undefined, now: number): row is SubscriptionRow =>
  row !== undefined && stateAt(row, now) !== 'expired';

/** A row as the account sees it. */
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

/** What the menu bar tells of Premium: a trial with its days left (the last one counts as a day), upgrade without one, nothing with it. */
export function upgradeOf(row: SubscriptionRow | undefined, now: number): Pick<Session, 'upgradeState' | 'expirationDays'> {
  if (!isRunning(row, now)) return { upgradeState: 'upgrade' };
  return row.state === 'trial' ? { upgradeState: 'trial', expirationDays: Math.ceil((row.endsAt - now) / day) } : { upgradeState: '' };
}
