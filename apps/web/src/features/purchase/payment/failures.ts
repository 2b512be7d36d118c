import { errorTable } from '@sheaf/contract';
import { CardError } from '#/features/purchase/tokenizer/tokenizer.ts';
import { CallError, messageOf } from '#/lib/http/call-error.ts';

/** What the dialog says of a failed purchase, and where it leads. */
export interface PurchaseFailure {
  readonly text: string;
  /** `form`: CONTINUE leads to the billing form. `again`: the subscription has ended and is to be bought anew. */
  readonly leadsTo?: 'form' | 'again';
  /** The promo code is what is wrong. */
  readonly isCoupon?: true;
}

const { BILLING_INVALID, BILLING_OUTDATED, SUBSCRIPTION_EXPIRED, INVALID_COUPON, CARD_DECLINED } = errorTable;
/** Codes of purchases, by the specification's numbering. */
const isPurchaseCode = (code: number): boolean => code >= 610 && code < 650;
const ownText: ReadonlySet<number> = new Set([errorTable.PAYMENT_FAILED.code]);

/** What to tell of anything that went wrong between the card and the purchase's answer. */
export function failureOf(error: unknown): PurchaseFailure {
  if (error instanceof CardError) return { text: error.message };
  if (!(error instanceof CallError)) return { text: messageOf(error) };
  const { errorCode: code, message: text } = error;
  if (code === BILLING_INVALID.code || code === BILLING_OUTDATED.code) return { text, leadsTo: 'form' };
  if (code === SUBSCRIPTION_EXPIRED.code) return { text, leadsTo: 'again' };
  if (code === INVALID_COUPON.code) return { text, isCoupon: true };
  if (isPurchaseCode(code) && !ownText.has(code)) return { text: CARD_DECLINED.text };
  return { text };
}
