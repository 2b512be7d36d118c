import { type PurchaseState, priceText, products } from '@sheaf/contract';

/** Inputs of a purchase dialog. */
export interface PurchaseInputs {
  readonly recurlyPlan: string;
  readonly productPrice: string;
  readonly productName: string;
  readonly productTerm: string;
  /** The subscription to renew. */
  readonly subOid: string;
  readonly trialState: boolean;
  readonly purchaseState: PurchaseState;
}

/** Inputs for Premium, from the table of products. */
export function premiumInputs(purchaseState: PurchaseState, { subOid = '', trialState = true } = {}): PurchaseInputs {
  const { plan, price, currency, name, term } = products.premium;
  return {
    recurlyPlan: plan,
    productPrice: priceText(price, currency),
    productName: name,
    productTerm: term,
    subOid,
    trialState,
    purchaseState,
  };
}

/** Terms of a purchase: the charge, cancellation, and renewal. */
export function termsOf({ productName, productPrice, productTerm }: PurchaseInputs): string {
  return (
    `You will be charged ${productPrice} for the first ${productTerm}. ` +
    `Cancel within ${products.premium.refundDays} days for a full refund. ` +
    `${productName} renews each ${productTerm} at the same price, not including discounts.`
  );
}

export const replaceNotice = ({ productName }: PurchaseInputs): string => `${productName} replaces your existing subscriptions.`;
