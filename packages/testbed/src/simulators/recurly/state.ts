import { randomUUID } from 'node:crypto';

/** The bank's response to a card. */
export type CardOutcome = 'approved' | 'declined' | 'expired' | 'invalid' | 'renewalDeclined' | 'unavailable';

export interface TokenizedCard {
  readonly outcome: CardOutcome;
  readonly firstName: string;
  readonly lastName: string;
  readonly lastFour: string;
  readonly month: number;
  readonly year: number;
}
export interface SimulatedInvoice {
  readonly id: string;
  readonly number: string;
  readonly type: 'charge' | 'credit';
  readonly origin: 'purchase' | 'renewal' | 'refund' | 'immediate_change';
  state: 'paid' | 'past_due' | 'failed' | 'closed';
  readonly total: number;
  readonly subscriptionId: string;
  readonly description: string;
  readonly at: number;
}
export interface SimulatedSubscription {
  readonly id: string;
  readonly plan: string;
  state: 'active' | 'canceled' | 'expired';
  quantity: number;
  readonly unitAmount: number;
  readonly currency: string;
  readonly activatedAt: number;
  periodStartsAt: number;
  periodEndsAt: number;
  expiresAt: number | undefined;
}
export interface SimulatedAccount {
  readonly id: string;
  readonly code: string;
  card: TokenizedCard | undefined;
  readonly subscriptions: SimulatedSubscription[];
  readonly invoices: SimulatedInvoice[];
}

/** ms */
export const year = 365 * 86_400_000;
const dunning = 7 * 86_400_000;

/** The bank refused the charge; the routes convert it to Recurly's error format. */
export class Declined extends Error {
  readonly outcome: CardOutcome | 'missing';
  constructor(outcome: CardOutcome | 'missing') {
    super(outcome);
    this.outcome = outcome;
  }
}

export const newRecurlyId = (): string => randomUUID().replaceAll('-', '').slice(0, 13);

/** A site: its accounts, tokens, coupons and clock. */
export function createSite() {
  const accounts = new Map<string, SimulatedAccount>();
  const tokens = new Map<string, TokenizedCard>();
  /** Code → percent. */
  const coupons = new Map<string, number>([['SHEAF20', 20]]);
  let ahead = 0;
  let numbers = 1000;
  const now = (): number => Date.now() + ahead;

  /** Throws {@link Declined}; a card's first charge is not a renewal. */
  function charge({ card }: Pick<SimulatedAccount, 'card'>, isRenewal: boolean): void {
    if (!card) throw new Declined('missing');
    if (card.outcome === 'renewalDeclined' ? isRenewal : card.outcome !== 'approved') throw new Declined(card.outcome);
    if (Date.UTC(card.year, card.month) <= now()) throw new Declined('expired');
  }

  function bill(account: SimulatedAccount, invoice: Omit<SimulatedInvoice, 'id' | 'number' | 'at'>): SimulatedInvoice {
    const made = { ...invoice, id: newRecurlyId(), number: String((numbers += 1)), at: now() };
    account.invoices.unshift(made);
    return made;
  }

  function renew(account: SimulatedAccount, subscription: SimulatedSubscription): void {
    const { id, quantity, unitAmount } = subscription;
    let state: SimulatedInvoice['state'] = 'paid';
    try {
      charge(account, true);
    } catch (error) {
      if (!(error instanceof Declined)) throw error;
      state = 'past_due';
    }
    // As in the real service, the next period starts whether or not it is paid; dunning runs in parallel.
    subscription.periodStartsAt = subscription.periodEndsAt;
    subscription.periodEndsAt += year;
    bill(account, { type: 'charge', origin: 'renewal', state, total: quantity * unitAmount, subscriptionId: id, description: 'Renewal' });
  }

  function expire(subscription: SimulatedSubscription): void {
    subscription.state = 'expired';
    subscription.expiresAt = now();
  }

  /** Applies the effects of elapsed time. */
  function settle(): void {
    for (const account of accounts.values()) {
      for (const subscription of account.subscriptions) {
        if (subscription.state === 'expired') continue;
        const unpaid = account.invoices.find(({ subscriptionId, state }) => subscriptionId === subscription.id && state === 'past_due');
        if (unpaid && unpaid.at + dunning <= now()) {
          unpaid.state = 'failed';
          expire(subscription);
        } else if (subscription.periodEndsAt <= now()) {
          if (subscription.state === 'active') renew(account, subscription);
          else expire(subscription);
        }
      }
    }
  }

  return {
    accounts,
    tokens,
    coupons,
    now,
    charge,
    bill,
    expire,
    moveClock(days: number): void {
      ahead += days * 86_400_000;
      settle();
    },
  };
}
export type Site = ReturnType<typeof createSite>;
