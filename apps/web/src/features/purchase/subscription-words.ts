import type { Subscription, SubscriptionState } from '@sheaf/contract';
import { formatDay } from './format-day.ts';

export const stateWords: Readonly<Record<SubscriptionState, string>> = {
  trial: 'Trial',
  active: 'Active',
  pastDue: 'Payment failed',
  expired: 'Expired',
};

/** How long it lasts, as a sentence; `day` says a moment as a day. */
export function lasting({ state, autoRenew, endsAt }: Pick<Subscription, 'state' | 'autoRenew' | 'endsAt'>, day = formatDay): string {
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
