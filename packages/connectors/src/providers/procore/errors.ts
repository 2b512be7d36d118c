import { Type } from 'typebox';
import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';

/** `errors` names the fields that failed validation; everything else in a refusal is text for humans. */
const Failure = Type.Object({ errors: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }) });

/**
 * 408: the response was too large to be built in time. 409: the file is checked out or was changed by another user. 410: the upload has
 * expired.
 */
const kindOfStatus: Readonly<Record<number, ConnectorErrorKind>> = {
  408: 'timeout',
  409: 'forbidden',
  410: 'interrupted',
  422: 'unexpected',
};

/**
 * Maps an error response of Procore's API. A refused name is `badName`, whether taken or invalid: Procore distinguishes these only in text.
 * https://developers.procore.com/documentation/error-reference
 */
export function procoreError(response: HttpResponse, text: string): ConnectorError {
  const { status } = response;
  const isName = (status === 400 || status === 422) && isAboutName(text);
  return refusalOf({ status, headers: withRetryAfter(response) }, isName ? 'badName' : kindOfStatus[status], isName ? 'name' : '');
}

/**
 * Maps an error response of a signed storage URL. A 403 means that the URL has expired; bytes whose hash differs from the signed one can be
 * retried.
 */
export function storageError(response: HttpResponse, text: string): ConnectorError {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? 'storage';
  if (code === 'XAmzContentSHA256Mismatch' || code === 'BadDigest')
    return new ConnectorError('damaged', 'the storage got other bytes than were sent', { retryable: true });
  return refusalOf(response, response.status === 403 ? 'interrupted' : undefined, code);
}

/** Procore sends the end of its rate limit as a time. https://developers.procore.com/documentation/rate-limiting */
function withRetryAfter({ headers }: HttpResponse): HttpResponse['headers'] {
  const reset = Number(headers['x-rate-limit-reset']);
  if (headers['retry-after'] !== undefined || !Number.isFinite(reset) || reset <= 0) return headers;
  return { ...headers, 'retry-after': String(Math.max(1, Math.ceil(reset - Date.now() / 1000))) };
}

function isAboutName(text: string): boolean {
  try {
    return 'name' in parseJson(Failure, text).errors;
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === 'unexpected') return false;
    throw error;
  }
}
