import type { Subscription, SubscriptionState } from '@sheaf/contract';
import { formatDay } from '#/features/purchase/format-day.ts';

const stateWords: Readonly<Record<SubscriptionState, string>> = {
  trial: 'Trial',
  active: 'Active',
  pastDue: 'Payment failed',
  expired: 'Expired',
};

type Refundable = Pick<Subscription, 'state' | 'refundedAt'>;
/** What the state of a subscription is called. */
export const stateName = ({ state, refundedAt }: Refundable): string => (refundedAt === undefined ? stateWords[state] : 'Refunded');

/** How long it lasts, as a sentence; `day` says a moment as a day. */
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

/** What turning auto-renew off has done: what is paid for is kept until its end, and a renewal that could not be paid is given up at once. */
export const stopped = ({ state, endsAt }: Pick<Subscription, 'state' | 'endsAt'>, day = formatDay): string =>
  state === 'pastDue' ? 'Premium has ended.' : `Premium ends on ${day(endsAt)}. Until then you may turn auto-renew on again.`;
