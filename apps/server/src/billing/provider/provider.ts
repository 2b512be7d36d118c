import type { Card, Invoice, Tokenizer } from '@sheaf/contract';

/** Why a billing provider refuses: the card, the subscription, or the provider itself. */
export type Refusal =
  /** The bank says no. */
  | 'declined'
  /** What is known of the card, or the token of it, cannot be used. */
  | 'invalid'
  /** There is no card, or it has expired. */
  | 'outdated'
  /** The subscription has ended. */
  | 'expired'
  | 'coupon'
  /** Its days are over. */
  | 'notRefundable'
  /** There is a subscription to that plan already. */
  | 'subscribed'
  /** It did not happen, for a reason that lies with neither the card nor the subscription. */
  | 'unavailable'
  /** No answer, or none that can be understood: what was asked for may have happened. */
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
  /** Cents a unit and term. */
  readonly price: number;
  readonly currency: string;
  readonly startedAt: number;
  readonly endsAt: number;
  readonly refundableUntil?: number;
  /** When the provider itself will do something with it; absent when only at its end. */
  readonly nextStepAt?: number;
}

/** Who pays, as the provider is told. */
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
  /** Two purchases with the same key are one. */
  readonly key: string;
}

/** Where subscriptions live, renew and are charged. Methods reject with {@link BillingRefused}; an account that is not known has nothing. */
export interface BillingProvider {
  readonly mode: 'sandbox' | 'recurly';
  readonly tokenizer: Tokenizer;
  /** Now, as far as billing goes, in epoch seconds. */
  time(): Promise<number>;
  /** Charges the first term. With a token the card is kept for what follows; without, the known card pays. */
  purchase(wish: ProviderPurchase): Promise<ProviderSubscription>;
  /** All subscriptions of the account, ended ones too, once what is due has fallen due. */
  subscriptions(accountId: string): Promise<ProviderSubscription[]>;
  /** More units are charged for the rest of the term, fewer take effect at once. */
  changeUnits(accountId: string, id: string, units: number): Promise<ProviderSubscription>;
  /** Turning it on while a renewal has failed tries that at once. */
  setAutoRenew(accountId: string, id: string, autoRenew: boolean): Promise<ProviderSubscription>;
  /** Ends it at once and gives back what the first term has cost. */
  refund(accountId: string, id: string): Promise<ProviderSubscription>;
  /** Ends it at once and gives nothing back. */
  end(accountId: string, id: string): Promise<void>;
  /** Replaces the card, and pays with it what could not be paid. */
  setCard(payer: Payer, token: string): Promise<void>;
  card(accountId: string): Promise<Card | undefined>;
  /** The newest first. */
  invoices(accountId: string): Promise<Invoice[]>;
  /** Cents that the promo code takes off a charge of so many; undefined when it is no code, or one that is over. */
  discountOf(code: string, amount: number, currency: string): Promise<number | undefined>;
}
