import type { Billing, Invoice, ProductName, Subscription, Tokenizer } from '@sheaf/contract';

/** A purchase of a product for an account: a person's (Premium) or an organisation's. */
export interface PurchaseWish {
  readonly payerId: string;
  /** Who does it, for the log. */
  readonly actorId: string;
  readonly product: ProductName;
  readonly units: number;
  /** What the browser got for the card; absent when the known card is to pay. */
  readonly token?: string;
  readonly coupon?: string;
}

/**
 * What accounts have bought: trials, purchases, renewals, ends. The payer is a person or an organisation; the billing provider stands behind a
 * port. Rejects with AppError: 124, 610 to 615.
 */
export interface Subscriptions {
  /** The running subscription to a product, or the last one; undefined when there never was one. */
  find(payerId: string, product: ProductName): Promise<Subscription | undefined>;
  list(payerId: string): Promise<Subscription[]>;
  /** Whether Premium, or a trial of it, is running (always, where billing is off). */
  hasPremium(accountId: string): Promise<boolean>;
  hasOrgPlan(orgId: string): Promise<boolean>;
  /** How many members the organisation's plan carries; 0 without one. */
  unitsOf(orgId: string): Promise<number>;
  mayTry(payerId: string, product: ProductName): Promise<boolean>;
  /** Rejects with NOT_ELIGIBLE for whoever has tried or bought the product before. */
  startTrial(wish: { payerId: string; actorId: string; product: ProductName; units: number }): Promise<Subscription>;
  purchase(wish: PurchaseWish): Promise<{ purchaseAccountId: string }>;
  changeUnits(wish: { payerId: string; actorId: string; product: ProductName; units: number }): Promise<void>;
  setAutoRenew(wish: { payerId: string; actorId: string; subOid: string; autoRenew: boolean; token?: string }): Promise<void>;
  refund(wish: { payerId: string; actorId: string; subOid: string }): Promise<void>;
  updateCard(wish: { payerId: string; actorId: string; token: string }): Promise<void>;
  billing(payerId: string): Promise<Billing>;
  invoices(payerId: string): Promise<Invoice[]>;
  tokenizer(): Tokenizer;
  /** Ends what renews, when the account itself ends. */
  cancelAll(payerId: string): Promise<void>;
}
