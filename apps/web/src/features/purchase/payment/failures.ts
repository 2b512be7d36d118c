import { errorTable } from '@sheaf/contract';
import { CardError, cardTexts } from '#/features/purchase/tokenizer/tokenizer.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { rowText } from '#/lib/http/row-text.ts';

/** The dialog's text for a failed purchase, and the way on. */
export interface PurchaseFailure {
  readonly text: string;
  /** `form`: CONTINUE leads to the billing form. `again`: the subscription has ended and must be bought again. */
  readonly leadsTo?: 'form' | 'again';
  /** Whether the promo code is invalid. */
  readonly isCoupon?: true;
}

const { BILLING_INVALID, BILLING_OUTDATED, SUBSCRIPTION_EXPIRED, INVALID_COUPON } = errorTable;
/** Error codes of purchases, by the specification's numbering. */
const isPurchaseCode = (code: number): boolean => code >= 610 && code < 650;
const ownText: ReadonlySet<number> = new Set([errorTable.PAYMENT_FAILED.code]);

/** Maps any error between the card and the purchase's answer to a text. */
export function failureOf(error: unknown): PurchaseFailure {
  if (error instanceof CardError) return { text: cardTexts[error.fault] };
  if (!(error instanceof CallError)) return { text: errorText(error) };
  const { errorCode: code } = error;
  const text = errorText(error);
  if (code === BILLING_INVALID.code || code === BILLING_OUTDATED.code) return { text, leadsTo: 'form' };
  if (code === SUBSCRIPTION_EXPIRED.code) return { text, leadsTo: 'again' };
  if (code === INVALID_COUPON.code) return { text, isCoupon: true };
  if (isPurchaseCode(code) && !ownText.has(code)) return { text: rowText('CARD_DECLINED', {}) };
  return { text };
}
