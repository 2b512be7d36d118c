/** Products with prices and terms; the only definition of prices for server, web app, mails and tests. */
export const products = {
  premium: {
    /** The plan's code at the billing provider. */
    plan: 'premium-yearly',
    name: 'Premium',
    term: 'year',
    /** Cents per term. */
    price: 15_000,
    currency: 'USD',
    trialDays: 7,
    /** Days after the first charge within which it is refunded in full. */
    refundDays: 30,
    units: { min: 1, max: 1, trial: 1 },
  },
  org: {
    plan: 'org-yearly',
    name: 'Organisation',
    term: 'year',
    /** Cents per member and term. */
    price: 12_000,
    currency: 'USD',
    trialDays: 7,
    refundDays: 30,
    /** One unit is one member, including the owner. */
    units: { min: 2, max: 1000, trial: 5 },
  },
} as const;
export type ProductName = keyof typeof products;
export type Product = (typeof products)[ProductName];

/** Days for which a failed renewal is retried before the subscription ends. */
export const graceDays = 7;

/** A promo code of the sandbox: its discount on the first charge, in percent. */
export const sandboxCoupons: Readonly<Record<string, number>> = { SHEAF20: 20, SHEAF100: 100 };

/** Formats cents: "$150", "$12.50". */
export function priceText(cents: number, currency: string = products.premium.currency): string {
  const fraction = cents % 100 === 0 ? 0 : 2;
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: fraction,
    maximumFractionDigits: fraction,
  }).format(cents / 100);
}
