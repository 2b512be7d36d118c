import type { Subscription, SubscriptionState } from '@sheaf/contract';
import { formatDay } from '#/features/purchase/format-day.ts';

const stateWords: Readonly<Record<SubscriptionState, string>> = {
  trial: 'Trial',
  active: 'Active',
  pastDue: 'Payment failed',
  expired: 'Expired',
};

type Refundable = Pick<Subscription, 'state' | 'refundedAt'>;
/** Name of a subscription's state. */
export const stateName = ({ state, refundedAt }: Refundable): string => (refundedAt === undefined ? stateWords[state] : 'Refunded');

/** The remaining term as a sentence; `day` formats a day. */
export function lasting(
  { state, autoRenew, endsAt, refundedAt }: Refundable & Pick<Subscription, 'autoRenew' | 'endsAt'>,
  day = formatDay,
): string {
  if (refundedAt !== undefined) return `Refunded on ${day(refundedAt)}.`;
  switch (state) {
    case 'trial':
      return `Your trial ends on ${day(endsAt)}.`;
    case 'active':
      return autoRenew ? `Renews on ${day(endsAt)}.` : `Ends on ${day(endsAt)}.`;
    case 'pastDue':
      return 'The last payment failed. Change the card that pays before the subscription ends.';
    case 'expired':
      return `Ended on ${day(endsAt)}.`;
  }
}

/** Message after turning auto-renew off: the paid term remains, and a failed renewal is given up at once. */
export const stopped = ({ state, endsAt }: Pick<Subscription, 'state' | 'endsAt'>, day = formatDay): string =>
  state === 'pastDue' ? 'Premium has ended.' : `Premium ends on ${day(endsAt)}. Until then you may turn auto-renew on again.`;
