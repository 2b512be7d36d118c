import { type Invoice as Bill, products } from '@sheaf/contract';
import type { Invoice, Subscription } from 'recurly';
import type { ProviderSubscription } from './provider.ts';

const day = 86_400;
/** Whether the subscription has not ended. */
export const isLive = ({ state }: Subscription): boolean => state !== 'expired' && state !== 'failed';
const seconds = (date: Date | string | null | undefined): number => (date ? Math.floor(new Date(date).getTime() / 1000) : 0);
const cents = (amount: number | null | undefined): number => Math.round((amount ?? 0) * 100);

/** Converts a Recurly subscription to the port's shape; `open` are the account's unpaid invoices. */
export function toOurs(subscription: Subscription, open: readonly Invoice[]): ProviderSubscription {
  const {
    id,
    plan,
    state,
    quantity,
    unitAmount,
    currency,
    activatedAt,
    createdAt,
    currentPeriodStartedAt,
    currentPeriodEndsAt,
    expiresAt,
  } = subscription;
  const startedAt = seconds(activatedAt ?? createdAt);
  const isOver = !isLive(subscription);
  const isUnpaid = !isOver && open.some(({ subscriptionIds }) => subscriptionIds?.includes(id ?? ''));
  const refundDays = Object.values(products).find((product) => product.plan === plan?.code)?.refundDays ?? 0;
  // Only in the first period: Recurly refunds the last invoice.
  const isFirst = seconds(currentPeriodStartedAt) <= startedAt + day;
  return {
    id: id ?? '',
    plan: plan?.code ?? '',
    state: isOver ? 'expired' : isUnpaid ? 'pastDue' : 'active',
    autoRenew: state !== 'canceled' && !isOver,
    units: quantity ?? 1,
    price: cents(unitAmount),
    currency: currency ?? products.premium.currency,
    startedAt,
    endsAt: seconds(isOver ? (expiresAt ?? currentPeriodEndsAt) : currentPeriodEndsAt),
    ...(isFirst && !isOver && { refundableUntil: startedAt + refundDays * day }),
  };
}

const billStates: Readonly<Record<string, Bill['state']>> = { paid: 'paid', closed: 'paid', past_due: 'failed', failed: 'failed' };

export function toBill({ id, number, type, origin, state, total, currency, createdAt, lineItems }: Invoice): Bill {
  const isCredit = type === 'credit';
  const amount = cents(total);
  return {
    invoiceId: number ?? id ?? '',
    at: seconds(createdAt),
    description: lineItems?.[0]?.description ?? (origin === 'renewal' ? 'Renewal' : 'Purchase'),
    amount: isCredit ? -Math.abs(amount) : amount,
    currency: currency ?? products.premium.currency,
    state: isCredit ? 'refunded' : (billStates[state ?? ''] ?? 'pending'),
  };
}
