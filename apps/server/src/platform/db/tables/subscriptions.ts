/** Subscriptions of accounts. Times are epoch seconds of billing, which in the sandbox may be ahead of the clock. */
export interface SubscriptionTables {
  subscription: {
    /** The subOid. */
    id: string;
    /** A person's or an organisation's account. */
    payerId: string;
    product: string;
    /** `sandbox`, `recurly`, or `` for a trial, which Sheaf keeps itself. */
    provider: string;
    /** The provider's id; null for a trial. */
    providerId: string | null;
    /** `trial`, `active`, `pastDue` or `expired`. At most one of a payer and product is not `expired`. */
    state: string;
    autoRenew: number;
    units: number;
    /** Cents per unit and term. */
    price: number;
    currency: string;
    startedAt: number;
    endsAt: number;
    refundableUntil: number | null;
    /** When the charge was refunded. */
    refundedAt: number | null;
    /** When it is looked up next. */
    checkAt: number;
    /** End of the lease for its lookup, by the real clock. */
    leasedUntil: number;
  };
  billing_account: {
    payerId: string;
    provider: string;
    /** The account at the provider; null before the first purchase. */
    purchaseAccountId: string | null;
    /** A promo code stored for the next purchase. */
    coupon: string | null;
  };
  /** A purchase under way: written before any money moves, deleted once the subscription is stored. One at a time per payer and product. */
  purchase_intent: {
    /** Also the idempotency key at the provider. */
    id: string;
    payerId: string;
    actorId: string;
    product: string;
    provider: string;
    /** End of the purchase's lease, by the real clock; afterwards its outcome is looked up. */
    leasedUntil: number;
  };
  /** An account of the billing sandbox as JSON. */
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
