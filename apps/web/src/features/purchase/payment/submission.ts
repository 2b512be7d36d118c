import { purchasePremium, reactivatePremium, updateBilling } from '@sheaf/contract';
import { send } from '#/lib/http/send.ts';
import type { PurchaseInputs } from './purchase-inputs.ts';

/** Additions to the inputs: the card's token, unless the stored card pays, and the promo code. */
export interface Payment {
  readonly token?: string;
  readonly coupon?: string;
  /** The campaign that brought the user. */
  readonly track: string;
}

/** Sends the call for the purchase's state; returns the purchasing account if the answer names it. */
export async function submitPurchase(inputs: PurchaseInputs, payment: Payment, make = send): Promise<{ purchaseAccountId?: string }> {
  const { recurlyPlan, subOid, trialState, purchaseState } = inputs;
  const { token, coupon, track } = payment;
  const card = token === undefined ? {} : { recurlyBillingToken: token };
  switch (purchaseState) {
    case 'purchase':
    case 'repurchase':
      return make(purchasePremium, { ...card, recurlyPlan, trialState, track, ...(coupon ? { coupon } : {}) });
    case 'reactiveautorenew':
      return make(reactivatePremium, { ...card, recurlyPlan, subOid, track });
    case 'updateBilling':
      return make(updateBilling, { recurlyBillingToken: token ?? '' });
  }
}
