import type { Card, Invoice, Tokenizer } from '@sheaf/contract';

/** Why a billing provider refuses: the card, the subscription, or the provider itself. */
export type Refusal =
  /** The bank declined the charge. */
  | 'declined'
  /** The card's data or its token cannot be used. */
  | 'invalid'
  /** There is no card, or it has expired. */
  | 'outdated'
  /** The subscription has ended. */
  | 'expired'
  | 'coupon'
  /** The refund period is over. */
  | 'notRefundable'
  /** The account already subscribes to that plan. */
  | 'subscribed'
  /** The charge did not happen, for a reason unrelated to the card or the subscription. */
  | 'unavailable'
  /** No answer, or none that can be parsed: the request may have taken effect. */
  | 'unanswered';

/** A refusal of a billing provider. Its message is for the log and names no card. */
export class BillingRefused extends Error {
  readonly reason: Refusal;
  constructor(reason: Refusal, message: string = reason, cause?: unknown) {
    super(message, { cause });
    this.name = 'BillingRefused';
    this.reason = reason;
  }
}

/** A subscription as the provider has it. Times are epoch seconds of the provider's clock. */
export interface ProviderSubscription {
  readonly id: string;
  readonly plan: string;
  readonly state: 'active' | 'pastDue' | 'expired';
  readonly autoRenew: boolean;
  readonly units: number;
  /** Price in cents per unit and term. */
  readonly price: number;
  readonly currency: string;
  readonly startedAt: number;
  readonly endsAt: number;
  readonly refundableUntil?: number;
  /** When the provider changes the subscription by itself; absent if only at its end. */
  readonly nextStepAt?: number;
}

/** Who pays, as sent to the provider. */
export interface Payer {
  /** The account at the provider: its code is the payer's id. */
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
}

export interface ProviderPurchase extends Payer {
  readonly plan: string;
  readonly units: number;
  /** Cents a unit and term. */
  readonly price: number;
  readonly currency: string;
  readonly token?: string;
  readonly coupon?: string;
  /** Idempotency key: two purchases with the same key count as one. */
  readonly key: string;
}

/** Where subscriptions live, renew and are charged. Methods reject with {@link BillingRefused}; an unknown account is empty. */
export interface BillingProvider {
  readonly mode: 'sandbox' | 'recurly';
  readonly tokenizer: Tokenizer;
  /** The provider's current time, in epoch seconds. */
  time(): Promise<number>;
  /** Charges the first term. A token stores a new card for later charges; without one the stored card pays. */
  purchase(wish: ProviderPurchase): Promise<ProviderSubscription>;
  /** All subscriptions of the account, including ended ones, after everything due has been processed. */
  subscriptions(accountId: string): Promise<ProviderSubscription[]>;
  /** Charges added units for the rest of the term; removed units take effect at once. */
  changeUnits(accountId: string, id: string, units: number): Promise<ProviderSubscription>;
  /** Turning it on after a failed renewal retries the renewal at once. */
  setAutoRenew(accountId: string, id: string, autoRenew: boolean): Promise<ProviderSubscription>;
  /** Ends it at once and refunds the first term. */
  refund(accountId: string, id: string): Promise<ProviderSubscription>;
  /** Ends it at once without a refund. */
  end(accountId: string, id: string): Promise<void>;
  /** Replaces the card and retries failed charges with it. */
  setCard(payer: Payer, token: string): Promise<void>;
  card(accountId: string): Promise<Card | undefined>;
  /** Newest first. */
  invoices(accountId: string): Promise<Invoice[]>;
  /** Cents that the promo code takes off `amount`; undefined when the code is unknown or has ended. */
  discountOf(code: string, amount: number, currency: string): Promise<number | undefined>;
}
