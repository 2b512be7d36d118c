import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);
const Nothing = Type.Object({});

export const purchaseStates = ['purchase', 'repurchase', 'reactiveautorenew', 'updateBilling'] as const;
export type PurchaseState = (typeof purchaseStates)[number];

/** `trial` and `active` run until `endsAt`; `active` with `autoRenew` renews then; `pastDue` stays active while a failed renewal is retried. */
export const subscriptionStates = ['trial', 'active', 'pastDue', 'expired'] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

export const Subscription = Type.Object({
  subOid: text,
  /** A product of the product table: `premium` or `org`. */
  product: text,
  name: text,
  plan: text,
  state: Type.Unsafe<SubscriptionState>({ type: 'string', enum: [...subscriptionStates] }),
  autoRenew: Type.Boolean(),
  units: Type.Integer(),
  /** Cents per unit and term. */
  price: Type.Integer(),
  currency: text,
  /** Epoch seconds. */
  startedAt: Type.Integer(),
  /** Epoch seconds: when it renews, or ends without `autoRenew`. */
  endsAt: Type.Integer(),
  /** End of the refund period in epoch seconds; absent when no refund is possible. */
  refundableUntil: optional(Type.Integer()),
  /** When the charge was refunded, which ended the subscription; epoch seconds. */
  refundedAt: optional(Type.Integer()),
});
export type Subscription = Static<typeof Subscription>;

export const Invoice = Type.Object({
  invoiceId: text,
  /** Epoch seconds. */
  at: Type.Integer(),
  description: text,
  /** Cents; negative for refunds. */
  amount: Type.Integer(),
  currency: text,
  state: Type.Union([Type.Literal('paid'), Type.Literal('failed'), Type.Literal('refunded'), Type.Literal('pending')]),
  /** Address of the receipt, if any. */
  receiptUrl: optional(text),
});
export type Invoice = Static<typeof Invoice>;

/** The stored card; includes only its last four digits. */
export const Card = Type.Object({
  holder: text,
  brand: text,
  lastFour: text,
  expireMonth: Type.Integer(),
  expireYear: Type.Integer(),
});
export type Card = Static<typeof Card>;

/** How the browser turns a card into a token. */
export const Tokenizer = Type.Object({
  mode: Type.Union([Type.Literal('sandbox'), Type.Literal('recurly'), Type.Literal('off')]),
  /** Recurly's public key and the address of its script; only with `recurly`. */
  publicKey: optional(text),
  scriptUrl: optional(text),
});
export type Tokenizer = Static<typeof Tokenizer>;

export const Billing = Type.Object({
  /** The account at the billing provider; absent before the first purchase. */
  purchaseAccountId: optional(text),
  card: optional(Card),
  /** A promo code stored for the next purchase. */
  coupon: optional(text),
  invoices: Type.Array(Invoice),
});
export type Billing = Static<typeof Billing>;

export const getShop = call({
  method: 'GET',
  path: '/rest/purchase/shop',
  input: Type.Object({}),
  reply: Type.Object({
    tokenizer: Tokenizer,
    /** Whether a card is stored, so that no form is needed. */
    purchaseAccountId: optional(text),
    trialEligible: Type.Boolean(),
    orgTrialEligible: Type.Boolean(),
    subscription: optional(Subscription),
  }),
  summary: 'What the purchase dialogs need: how cards become tokens, and what the account may buy.',
});
/** First charge of a purchase. Amounts are cents. */
export const Quote = Type.Object({
  /** Before the promo code. */
  price: Type.Integer(),
  discount: Type.Integer(),
  /** Due now. */
  due: Type.Integer(),
  currency: text,
  /** The promo code that is deducted. */
  coupon: optional(text),
});
export type Quote = Static<typeof Quote>;
export const getQuote = call({
  method: 'GET',
  path: '/rest/purchase/quote',
  input: Type.Object({
    product: Type.Union([Type.Literal('premium'), Type.Literal('org')]),
    units: Type.Integer({ minimum: 1 }),
    /** Without it the stored code counts. */
    coupon: optional(Type.String({ maxLength: 64 })),
  }),
  reply: Quote,
  summary: 'What a purchase would charge now, with the promo code taken off.',
});
export const premiumTrial = call({
  method: 'POST',
  path: '/rest/purchase/premium_trial',
  input: Type.Object({ trialDays: Type.Integer(), track: optional(text), rTag }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Starts the free trial of Premium.',
});
export const purchasePremium = call({
  method: 'POST',
  path: '/rest/purchase/purchase_premium_addon',
  input: Type.Object({
    recurlyBillingToken: optional(text),
    recurlyPlan: text,
    trialState: optional(Type.Boolean()),
    track: optional(text),
    coupon: optional(text),
    rTag,
  }),
  reply: Type.Object({ purchaseAccountId: text }),
  rTag: 'required',
  summary: 'Buys Premium.',
});
export const reactivatePremium = call({
  method: 'POST',
  path: '/rest/purchase/reactivate_premium_auto_renew',
  input: Type.Object({ recurlyBillingToken: optional(text), recurlyPlan: text, subOid: text, track: optional(text), rTag }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Lets Premium renew again.',
});
export const cancelPremium = call({
  method: 'POST',
  path: '/rest/purchase/cancel_premium_auto_renew',
  input: Type.Object({ subOid: text, rTag }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Lets Premium end with its term.',
});
export const refundPremium = call({
  method: 'POST',
  path: '/rest/purchase/refund_premium',
  input: Type.Object({ subOid: text, rTag }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Ends Premium at once and gives the first charge back, within its days.',
});
export const updateBilling = call({
  method: 'POST',
  path: '/rest/account/updatebilling',
  input: Type.Object({ recurlyBillingToken: text, rTag }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Replaces the card that pays.',
});
export const applyPromo = call({
  method: 'POST',
  path: '/rest/account/apply_promo',
  input: Type.Object({ coupon: text, rTag }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Keeps a promo code for the next purchase.',
});
export const getBilling = call({
  method: 'GET',
  path: '/rest/account/billing',
  input: Type.Object({}),
  reply: Billing,
  summary: 'The card that pays, and the bills.',
});
export const getReceipt = call({
  method: 'GET',
  path: '/rest/purchase/receipt',
  input: Type.Object({ invoiceId: text }),
  reply: Type.Unknown(),
  summary: "The receipt of one of the account's bills, as a page.",
});
export const listSubscriptions = call({
  method: 'GET',
  path: '/rest/account/subscriptions',
  input: Type.Object({}),
  reply: Type.Object({ subscriptions: Type.Array(Subscription) }),
  summary: "The account's subscriptions, the running one first.",
});
/** Sandbox billing only, for operators: moves its clock forward to test renewals and expirations. */
export const moveSandboxClock = call({
  method: 'POST',
  path: '/rest/operator/sandbox_clock',
  input: Type.Object({ days: Type.Integer({ minimum: 0, maximum: 3650 }), rTag }),
  reply: Type.Object({ now: Type.Integer() }),
  rTag: 'required',
  summary: 'Moves the clock of the billing sandbox forward and lets fall due what then is.',
});
