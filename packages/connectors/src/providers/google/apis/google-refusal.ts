import { Type } from 'typebox';
import { type ConnectorError, type ConnectorErrorKind, isKind } from '../../../core/error.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { refusalOf } from '../../../kit/rest/refusal.ts';

const reasons = Type.Array(Type.Object({ reason: Type.Optional(Type.String()) }));
const Refusal = Type.Object({
  error: Type.Object({ status: Type.Optional(Type.String()), errors: Type.Optional(reasons), details: Type.Optional(reasons) }),
});

/**
 * Error reasons common to Google's storage services: https://developers.google.com/drive/api/guides/handle-errors,
 * https://cloud.google.com/storage/docs/json_api/v1/status-codes
 */
const kinds: Readonly<Record<string, ConnectorErrorKind>> = {
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: 'needsAuthorization',
  accessNotConfigured: 'appRefused',
  accountDisabled: 'forbidden',
  authError: 'unauthorized',
  backendError: 'unreachable',
  dailyLimitExceeded: 'rateLimited',
  forbidden: 'forbidden',
  insufficientPermissions: 'needsAuthorization',
  internalError: 'unreachable',
  notFound: 'notFound',
  quotaExceeded: 'rateLimited',
  rateLimitExceeded: 'rateLimited',
  requestedRangeNotSatisfiable: 'badRange',
  userRateLimitExceeded: 'rateLimited',
};

/** Maps an error response of Google; `own` maps the service's own reasons and takes precedence. */
export function googleRefusal(response: HttpResponse, text: string, own: Readonly<Record<string, ConnectorErrorKind>>): ConnectorError {
  const told = reasonsIn(text);
  const kind = told.map((reason) => own[reason] ?? kinds[reason]).find((one) => one !== undefined);
  return refusalOf(response, kind, told[0]);
}

/** Returns the response's reasons, most specific first; none for a body that is not a Google error, as for downloads. */
function reasonsIn(text: string): string[] {
  try {
    const { errors = [], details = [], status } = parseJson(Refusal, text).error;
    return [...details, ...errors, { reason: status }].flatMap(({ reason = '' }) => (/^\w{1,60}$/.test(reason) ? [reason] : []));
  } catch (error) {
    if (isKind(error, 'unexpected')) return [];
    throw error;
  }
}
