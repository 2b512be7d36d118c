import recurly from 'recurly';
import { BillingRefused, type Refusal } from './provider.ts';

const { errors } = recurly;

/** Codes of refused transactions that say the card has expired or is missing (Recurly, Transaction error codes). */
const outdated = new Set(['expired_card', 'declined_expiration_date', 'no_billing_information', 'billing_agreement_not_found']);
/** Codes that say that the card's data is wrong. */
const invalid = new Set([
  'invalid_card_number',
  'invalid_account_number',
  'invalid_data',
  'invalid_name',
  'invalid_payment_method',
  'invalid_payment_method_hard',
  'declined_card_number',
  'declined_missing_data',
  'declined_security_code',
  'cvv_required',
  'call_issuer_update_cardholder_data',
  'card_type_not_accepted',
  'recurly_token_not_found',
  'rjs_token_expired',
  'three_d_secure_action_required',
]);
/** Categories in which the bank was not asked or its answer is unknown. */
const unknown = new Set(['communication', 'api_error', 'configuration', 'recurly', 'unknown']);

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** Maps a failed transaction to a refusal. */
function reasonOfTransaction(error: unknown): Refusal {
  const { code, category } = recordOf(recordOf(error)['transactionError']);
  if (typeof code === 'string' && outdated.has(code)) return 'outdated';
  if (typeof code === 'string' && invalid.has(code)) return 'invalid';
  return typeof category === 'string' && unknown.has(category) ? 'unavailable' : 'declined';
}

/** Maps a rejected input to a refusal, by the parameter that Recurly names. */
function reasonOfInput(error: unknown): Refusal {
  const { params } = recordOf(error);
  const names = (Array.isArray(params) ? params : []).map((one) => String(recordOf(one)['param']));
  if (names.some((name) => name.includes('coupon'))) return 'coupon';
  if (names.some((name) => name.includes('billing_info'))) return 'outdated';
  return names.some((name) => name.includes('token')) ? 'invalid' : 'unavailable';
}

/** Maps an error of Recurly to a refusal. Drops its message, which may repeat what was sent. */
export function refusalOf(error: unknown): BillingRefused {
  if (error instanceof BillingRefused) return error;
  const { type } = recordOf(error);
  const message = typeof type === 'string' ? `Recurly: ${type}` : 'Recurly did not answer';
  const refused = (reason: Refusal): BillingRefused => new BillingRefused(reason, message);
  // The last try was refused by the rate limit; an earlier try, whose answer was lost, may have gone through.
  if (error instanceof errors.TooManyRequestsError) return refused('unanswered');
  if (error instanceof errors.SimultaneousRequestError) return refused('unanswered');
  if (error instanceof errors.TransactionError) return refused(reasonOfTransaction(error));
  if (error instanceof errors.InvalidTokenError) return refused('invalid');
  if (error instanceof errors.ImmutableSubscriptionError) return refused('expired');
  if (error instanceof errors.ValidationError) return refused(reasonOfInput(error));
  if (error instanceof errors.NotFoundError) return refused('expired');
  return refused(error instanceof errors.ClientError ? 'unavailable' : 'unanswered');
}

export const isUnknown = (error: unknown): boolean => error instanceof errors.NotFoundError;
