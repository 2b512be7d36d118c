import { Type } from 'typebox';
import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';

/** Error codes that say more than their status: https://developer.box.com/guides/api-calls/permissions-and-errors/common-errors/ */
const kindOfCode: Readonly<Record<string, ConnectorErrorKind>> = {
  access_denied_insufficient_permissions: 'forbidden',
  access_denied_item_locked: 'forbidden',
  bad_digest: 'damaged',
  cyclical_folder_structure: 'alreadyExists',
  file_size_limit_exceeded: 'full',
  folder_not_empty: 'notEmpty',
  insufficient_scope: 'forbidden',
  internal_server_error: 'unreachable',
  item_name_in_use: 'alreadyExists',
  item_name_invalid: 'badName',
  item_name_too_long: 'badName',
  name_temporarily_reserved: 'rateLimited',
  not_found: 'notFound',
  operation_blocked_temporarily: 'rateLimited',
  rate_limit_exceeded: 'rateLimited',
  storage_limit_exceeded: 'full',
  too_many_requests: 'rateLimited',
  trashed: 'notFound',
  unavailable: 'rateLimited',
};
/** 409 and 412 without a known code mean that the state has changed concurrently. */
const kindOfStatus: Readonly<Record<number, ConnectorErrorKind>> = { 401: 'interrupted', 412: 'interrupted', 423: 'forbidden' };

const Refusal = Type.Object({ code: Type.String({ pattern: '^[a-z_]{1,60}$' }) });

/** Maps an error response. The API client reports a token that was rejected twice; a first 401 here arrived during a body transfer. */
export function boxError(response: HttpResponse, text: string): ConnectorError {
  const code = codeIn(text);
  return refusalOf(response, kindOfCode[code] ?? kindOfStatus[response.status], code);
}

/** Maps an error response of the upload hosts. The only precondition of uploads is their hash. */
export const uploadError = (response: HttpResponse, text: string): ConnectorError =>
  response.status === 412 ? refusalOf(response, 'damaged', codeIn(text)) : boxError(response, text);

/** The code in an error's JSON; '' for any other body, which is common with 401. */
export function codeIn(text: string): string {
  try {
    return parseJson(Refusal, text).code;
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === 'unexpected') return '';
    throw error;
  }
}

/** A 202 response: the work is in progress, retry later. */
export function notYet({ status, headers }: HttpResponse): ConnectorError {
  const { retryAfter } = refusalOf({ status, headers }, 'rateLimited');
  return new ConnectorError('rateLimited', 'Box has not finished its work yet', {
    retryable: true,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}
