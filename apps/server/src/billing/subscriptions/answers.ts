import { type MessageCode, appError } from '@sheaf/contract';
import { BillingRefused, type Refusal } from '#/billing/provider/provider.ts';

/** The error of each refusal; a new refusal without a row does not compile. */
const answers = {
  declined: 'CARD_DECLINED',
  invalid: 'BILLING_INVALID',
  outdated: 'BILLING_OUTDATED',
  expired: 'SUBSCRIPTION_EXPIRED',
  coupon: 'INVALID_COUPON',
  notRefundable: 'NOT_REFUNDABLE',
  subscribed: 'ALREADY_SUBSCRIBED',
  unavailable: 'PAYMENT_FAILED',
  unanswered: 'PAYMENT_FAILED',
} as const satisfies Readonly<Record<Refusal, MessageCode>>;

/** Maps a refusal to its error; returns any other error unchanged. */
export const answerOf = (error: unknown): unknown => (error instanceof BillingRefused ? appError(answers[error.reason], {}, error) : error);

/** Awaits the provider's answer and maps its refusals to errors of the catalogue. */
export async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw answerOf(error);
  }
}
