import { Type } from 'typebox';
import { ConnectorError, type ConnectorErrorKind, isKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';

/**
 * https://learn.microsoft.com/graph/errors and https://learn.microsoft.com/onedrive/developer/rest-api/concepts/errors, outer and inner
 * codes.
 */
const kinds: Readonly<Record<string, ConnectorErrorKind>> = {
  InvalidAuthenticationToken: 'unauthorized',
  TooManyRequests: 'rateLimited',
  accessDenied: 'forbidden',
  accessRestricted: 'forbidden',
  activityLimitReached: 'rateLimited',
  invalidPath: 'badName',
  invalidRange: 'badRange',
  itemNotFound: 'notFound',
  malwareDetected: 'forbidden',
  maxFileSizeExceeded: 'full',
  maxStreamSizeExceeded: 'full',
  nameAlreadyExists: 'alreadyExists',
  notAllowed: 'forbidden',
  notSupported: 'unsupported',
  pathIsTooDeep: 'badName',
  pathIsTooLong: 'badName',
  quotaLimitReached: 'full',
  resourceLocked: 'forbidden',
  serviceNotAvailable: 'rateLimited',
  serviceReadOnly: 'forbidden',
  throttledRequest: 'rateLimited',
  unauthenticated: 'unauthorized',
  upload_name_conflict: 'alreadyExists',
  virusSuspicious: 'forbidden',
};

const kindOfStatus: Readonly<Record<number, ConnectorErrorKind>> = { 423: 'forbidden', 501: 'unsupported', 509: 'rateLimited' };

const Inner = Type.Object({
  code: Type.Optional(Type.String()),
  innerError: Type.Optional(Type.Unknown()),
  innererror: Type.Optional(Type.Unknown()),
});
const Answer = Type.Object({ error: Inner });

/** Returns the response's error codes, outermost first. */
function codesOf(text: string): readonly string[] {
  const codes: string[] = [];
  try {
    for (let inner: unknown = parseJson(Answer, text).error; inner !== undefined && inner !== null && codes.length < 8;) {
      const { code, innerError, innererror } = parseJson(Inner, JSON.stringify(inner));
      if (code !== undefined && /^[\w.-]{1,80}$/.test(code)) codes.push(code);
      inner = innerError ?? innererror;
    }
  } catch (error) {
    // A gateway in front of the service answers in HTML: then the status decides.
    if (!isKind(error, 'unexpected')) throw error;
  }
  return codes;
}

/** Returns the kind of a single code, as in the result of a copy. */
export const kindOfCode = (code: string | undefined): ConnectorErrorKind => kinds[code ?? ''] ?? 'failed';

/** Maps an error response: the innermost known code decides. */
export function graphRefusal(response: HttpResponse, text: string): ConnectorError {
  const codes = codesOf(text);
  const known = codes.findLast((code) => code in kinds);
  const kind = known === undefined ? kindOfStatus[response.status] : kinds[known];
  const error = refusalOf(response, kind, known ?? codes[0]);
  if (error.kind !== 'unexpected' || !codes.includes('invalidRequest')) return error;
  return new ConnectorError('unexpected', error.message, { details: { code: 'invalidRequest' } });
}

/** Runs a call that names an item: maps the service's invalid request to an invalid name. */
export async function naming<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (isKind(error, 'unexpected') && error.details['code'] === 'invalidRequest')
      throw new ConnectorError('badName', 'the service refuses the name', { cause: error });
    throw error;
  }
}
