/** What accounts have bought. Times are epoch seconds of billing, which in the sandbox may be ahead of the clock. */
export interface SubscriptionTables {
  subscription: {
    /** The subOid. */
    id: string;
    /** A person's or an organisation's account. */
    payerId: string;
    product: string;
    /** Who keeps it: `sandbox`, `recurly`, or `` for a trial, which Sheaf keeps itself. */
    provider: string;
    /** What the provider calls it; null for a trial. */
    providerId: string | null;
    /** `trial`, `active`, `pastDue` or `expired`. At most one of a payer and product is not `expired`. */
    state: string;
    autoRenew: number;
    units: number;
    /** Cents a unit and term. */
    price: number;
    currency: string;
    startedAt: number;
    endsAt: number;
    refundableUntil: number | null;
    /** When the charge was given back. */
    refundedAt: number | null;
    /** When it is to be looked at next. */
    checkAt: number;
    /** Until when one instance looks at it, by the clock. */
    leasedUntil: number;
  };
  billing_account: {
    payerId: string;
    provider: string;
    /** The account at the provider; null as long as nothing was bought. */
    purchaseAccountId: string | null;
    /** A promo code that waits for the next purchase. */
    coupon: string | null;
  };
  /** A purchase under way: written before any money moves, gone when the subscription stands. One at a time of a payer and product. */
  purchase_intent: {
    /** Also the idempotency key at the provider. */
    id: string;
    payerId: string;
    actorId: string;
    product: string;
    provider: string;
    /** Until when its instance is at it, by the clock; after that others find out what became of it. */
    leasedUntil: number;
  };
  /** An account of the billing sandbox: all that it knows of one, as JSON. */
  sandbox_account: {
    id: string;
    state: string;
    revision: number;
  };
  sandbox_clock: {
    id: number;
    /** Seconds by which billing is ahead of the clock. */
    ahead: number;
  };
}
