import { type PurchaseState, priceText, products } from '@sheaf/contract';

/** What a purchase dialog is opened with. */
export interface PurchaseInputs {
  readonly recurlyPlan: string;
  readonly productPrice: string;
  readonly productName: string;
  readonly productTerm: string;
  /** The subscription that is to renew again. */
  readonly subOid: string;
  readonly trialState: boolean;
  readonly purchaseState: PurchaseState;
}

/** The inputs for Premium, from the table of products. */
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

/** What is agreed to with a purchase: the charge, the way out of it, and what follows. */
export function termsOf({ productName, productPrice, productTerm }: PurchaseInputs): string {
  return (
    `You will be charged ${productPrice} for the first ${productTerm}. ` +
    `Cancel within ${products.premium.refundDays} days for a full refund. ` +
    `${productName} renews each ${productTerm} at the same price, not including discounts.`
  );
}

export const replaceNotice = ({ productName }: PurchaseInputs): string => `${productName} replaces your existing subscriptions.`;
