import { type MessageCode, appError } from '@sheaf/contract';
import { BillingRefused, type Refusal } from '#/billing/provider/provider.ts';

/** What the user is told when billing refuses. A new reason does not compile until it has its row. */
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

/** The row for a refusal; everything else as it came. */
export const answerOf = (error: unknown): unknown => (error instanceof BillingRefused ? appError(answers[error.reason], {}, error) : error);

/** What was asked of the provider, with its refusals as rows of the error table. */
export async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw answerOf(error);
  }
}
