import { type Card, type Invoice, type SandboxToken, graceDays, products, sandboxCoupons } from '@sheaf/contract';
import { BillingRefused, type ProviderSubscription, type Refusal } from './provider.ts';

export const day = 86_400;
/** Characters of a token that identify it: everything but the holder's name. */
const tokenMark = 110;
const tokensRemembered = 50;

type LedgerCard = SandboxToken;
interface BookedSubscription extends ProviderSubscription {
  /** When a failed renewal is retried. */
  readonly retryAt?: number;
}
interface BookedInvoice extends Invoice {
  readonly subscriptionId: string;
}

/** Everything the sandbox stores about one account. */
export interface Ledger {
  readonly card?: LedgerCard;
  /** Prefixes of used tokens: each token works once. */
  readonly spent: readonly string[];
  readonly subscriptions: readonly BookedSubscription[];
  readonly invoices: readonly BookedInvoice[];
  /** Idempotency key → subscription. */
  readonly done: Readonly<Record<string, string>>;
}
export const emptyLedger: Ledger = { spent: [], subscriptions: [], invoices: [], done: {} };

/** The same day a year later; 29 February becomes 1 March. */
export function yearLater(at: number): number {
  const date = new Date(at * 1000);
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return date.getTime() / 1000;
}

/** Why the card cannot be charged at `at`; undefined when it can. */
function refusalOf(card: LedgerCard | undefined, at: number, isRenewal: boolean): Refusal | undefined {
  if (!card || card.outcome === 'expired' || Date.UTC(card.year, card.month) / 1000 <= at) return 'outdated';
  if (card.outcome === 'declined' || (card.outcome === 'renewalDeclined' && isRenewal)) return 'declined';
  if (card.outcome === 'needsUpdate') return 'invalid';
  return card.outcome === 'timeout' ? 'unavailable' : undefined;
}

const nameOf = (plan: string): string => Object.values(products).find((product) => product.plan === plan)?.name ?? plan;
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const dayOf = (at: number): string => days.format(at * 1000);
const replaced = (ledger: Ledger, next: BookedSubscription): Ledger => ({
  ...ledger,
  subscriptions: ledger.subscriptions.map((one) => (one.id === next.id ? next : one)),
});

/** Returns the book with one more invoice, numbered by its position after the account's id. */
function billed(ledger: Ledger, accountId: string, bill: Omit<BookedInvoice, 'invoiceId'>): Ledger {
  return { ...ledger, invoices: [...ledger.invoices, { ...bill, invoiceId: `${accountId}-${ledger.invoices.length + 1}` }] };
}

/** The account's bookkeeping at `now`: each method returns the next book or throws BillingRefused. */
export function bookkeeping(accountId: string, now: number) {
  function subscription(ledger: Ledger, id: string): BookedSubscription {
    const found = ledger.subscriptions.find((one) => one.id === id);
    if (!found) throw new BillingRefused('expired', 'there is no such subscription');
    return found;
  }

  /** Tries to renew at `at`: starts the next term, or is past due until the grace period ends. */
  function renewed(ledger: Ledger, old: BookedSubscription, at: number): Ledger {
    const amount = old.units * old.price;
    const refusal = refusalOf(ledger.card, at, true);
    const open = ledger.invoices.findLast((one) => one.subscriptionId === old.id && one.state === 'failed');
    if (refusal === undefined) {
      const { retryAt: _retry, refundableUntil: _refundable, nextStepAt: _step, ...kept } = old;
      const next = replaced(ledger, { ...kept, state: 'active', endsAt: yearLater(old.endsAt) });
      if (open) return { ...next, invoices: next.invoices.map((one) => (one === open ? { ...one, at, state: 'paid' } : one)) };
      const description = `${nameOf(old.plan)}, renewal until ${dayOf(yearLater(old.endsAt))}`;
      return billed(next, accountId, { at, description, amount, currency: old.currency, state: 'paid', subscriptionId: old.id });
    }
    const retryAt = at + day;
    const next = replaced(ledger, { ...old, state: 'pastDue', retryAt, nextStepAt: retryAt });
    if (open) return next;
    const description = `${nameOf(old.plan)}, renewal until ${dayOf(yearLater(old.endsAt))}`;
    return billed(next, accountId, { at, description, amount, currency: old.currency, state: 'failed', subscriptionId: old.id });
  }

  const ended = (ledger: Ledger, old: BookedSubscription, at: number): Ledger => {
    const { retryAt: _retry, refundableUntil: _refundable, nextStepAt: _step, ...kept } = old;
    return replaced(ledger, { ...kept, state: 'expired', autoRenew: false, endsAt: at });
  };

  /** Processes one due step; returns the same book when nothing is due. */
  function step(ledger: Ledger, old: BookedSubscription): Ledger {
    if (old.state === 'active' && old.endsAt <= now)
      return old.autoRenew ? renewed(ledger, old, old.endsAt) : ended(ledger, old, old.endsAt);
    if (old.state !== 'pastDue') return ledger;
    const graceEnd = old.endsAt + graceDays * day;
    const retryAt = old.retryAt ?? old.endsAt;
    if (retryAt <= now && retryAt < graceEnd) return renewed(ledger, old, retryAt);
    return graceEnd <= now ? ended(ledger, old, graceEnd) : ledger;
  }

  function settled(ledger: Ledger): Ledger {
    let current = ledger;
    for (const { id } of ledger.subscriptions) {
      for (let next = step(current, subscription(current, id)); next !== current; next = step(current, subscription(current, id)))
        current = next;
    }
    return current;
  }

  /** Retries failed charges at once; throws when one fails again. */
  function retried(ledger: Ledger): Ledger {
    let current = ledger;
    for (const old of ledger.subscriptions.filter(({ state }) => state === 'pastDue')) {
      const refusal = refusalOf(ledger.card, now, true);
      if (refusal) throw new BillingRefused(refusal);
      current = renewed(current, old, now);
    }
    return current;
  }

  function withCard(ledger: Ledger, card: SandboxToken, token: string): Ledger {
    const mark = token.slice(0, tokenMark);
    if (ledger.spent.includes(mark)) throw new BillingRefused('invalid', 'the token has been used');
    return { ...ledger, card, spent: [...ledger.spent, mark].slice(-tokensRemembered) };
  }

  interface Sale {
    readonly id: string;
    readonly key: string;
    readonly plan: string;
    readonly units: number;
    readonly price: number;
    readonly currency: string;
    readonly coupon?: string;
    readonly refundDays: number;
  }

  return {
    subscription,
    settled,

    sold(ledger: Ledger, { id, key, plan, units, price, currency, coupon, refundDays }: Sale): Ledger {
      if (ledger.subscriptions.some((one) => one.plan === plan && one.state !== 'expired')) throw new BillingRefused('subscribed');
      if (coupon !== undefined && !Object.hasOwn(sandboxCoupons, coupon)) throw new BillingRefused('coupon');
      const discount = coupon === undefined ? 0 : (sandboxCoupons[coupon] ?? 0);
      const refusal = refusalOf(ledger.card, now, false);
      if (refusal) throw new BillingRefused(refusal);
      const endsAt = yearLater(now);
      const refundableUntil = now + refundDays * day;
      const sale = { id, plan, state: 'active', autoRenew: true, units, price, currency, startedAt: now, endsAt, refundableUntil } as const;
      const next = { ...ledger, subscriptions: [...ledger.subscriptions, sale], done: { ...ledger.done, [key]: id } };
      const amount = Math.round((units * price * (100 - discount)) / 100);
      const description = `${nameOf(plan)}${units > 1 ? ` for ${units} members` : ''}, until ${dayOf(endsAt)}${discount > 0 ? `, ${discount}% off` : ''}`;
      return billed(next, accountId, { at: now, description, amount, currency, state: 'paid', subscriptionId: id });
    },

    resized(ledger: Ledger, id: string, units: number): Ledger {
      const old = subscription(ledger, id);
      if (old.state === 'expired') throw new BillingRefused('expired');
      const next = replaced(ledger, { ...old, units });
      const more = units - old.units;
      if (more <= 0) return next;
      const refusal = refusalOf(ledger.card, now, true);
      if (refusal) throw new BillingRefused(refusal);
      const termStart = new Date(old.endsAt * 1000);
      termStart.setUTCFullYear(termStart.getUTCFullYear() - 1);
      const left = Math.max(0, old.endsAt - now) / (old.endsAt - termStart.getTime() / 1000);
      const description = `${nameOf(old.plan)}, ${more} more ${more === 1 ? 'member' : 'members'} until ${dayOf(old.endsAt)}`;
      const amount = Math.round(more * old.price * Math.min(1, left));
      return billed(next, accountId, { at: now, description, amount, currency: old.currency, state: 'paid', subscriptionId: id });
    },

    renewing(ledger: Ledger, id: string, autoRenew: boolean): Ledger {
      const old = subscription(ledger, id);
      if (old.state === 'expired') throw new BillingRefused('expired');
      if (old.state === 'pastDue' && !autoRenew) return ended(ledger, old, now);
      const next = replaced(ledger, { ...old, autoRenew });
      return autoRenew ? retried(next) : next;
    },

    refunded(ledger: Ledger, id: string): Ledger {
      const old = subscription(ledger, id);
      if (old.state === 'expired') throw new BillingRefused('expired');
      if (old.refundableUntil === undefined || old.refundableUntil <= now) throw new BillingRefused('notRefundable');
      const paid = ledger.invoices.filter((one) => one.subscriptionId === id && one.state === 'paid');
      const amount = -paid.reduce((sum, one) => sum + one.amount, 0);
      const description = `Refund of ${nameOf(old.plan)}`;
      const next = ended(ledger, old, now);
      return billed(next, accountId, { at: now, description, amount, currency: old.currency, state: 'refunded', subscriptionId: id });
    },

    stopped(ledger: Ledger, id: string): Ledger {
      const old = subscription(ledger, id);
      return old.state === 'expired' ? ledger : ended(ledger, old, now);
    },

    /** Stores the card for later charges; a card that the bank declines is refused here. */
    paidBy(ledger: Ledger, card: SandboxToken, token: string): Ledger {
      const refusal = refusalOf(card, now, false);
      if (refusal && refusal !== 'invalid') throw new BillingRefused(refusal);
      return retried(withCard(ledger, card, token));
    },
    withCard,
  };
}

/** What may be shown of the card. */
export const shownCard = ({ holder, lastFour, month, year }: LedgerCard): Card => ({
  holder,
  brand: lastFour === '1111' ? 'Visa' : 'Test card',
  lastFour,
  expireMonth: month,
  expireYear: year,
});
