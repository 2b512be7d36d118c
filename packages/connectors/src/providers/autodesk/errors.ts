import { Type } from 'typebox';
import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';

/** Data Management answers in JSON:API, the gateway in front of it with codes of its own. The object store's `reason` is not used. */
const Failure = Type.Object({
  errors: Type.Optional(Type.Array(Type.Object({ code: Type.Optional(Type.String()) }))),
  errorCode: Type.Optional(Type.String()),
});

/** https://aps.autodesk.com/en/docs/oauth/v2/developers_guide/error_handling/: the token lacks a required scope. */
const kindOfCode: Readonly<Record<string, ConnectorErrorKind>> = { 'AUTH-010': 'needsAuthorization' };
/** 423: the item is locked by another user. */
const kindOfStatus: Readonly<Record<number, ConnectorErrorKind>> = { 423: 'forbidden' };

/** Maps an error response of Autodesk's API. */
export function autodeskError(response: HttpResponse, text: string): ConnectorError {
  const code = codeIn(text);
  return refusalOf(response, kindOfCode[code] ?? kindOfStatus[response.status], code);
}

/** Maps an error response of a signed URL. A 403 means that the URL has expired; a retry requests a new one. */
export function storeError(response: HttpResponse): ConnectorError {
  return refusalOf(response, response.status === 403 ? 'interrupted' : undefined, 'from the store');
}

function codeIn(text: string): string {
  try {
    const { errors, errorCode } = parseJson(Failure, text);
    const code = errorCode ?? errors?.[0]?.code ?? '';
    return /^[\w.-]{1,60}$/.test(code) ? code : '';
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === 'unexpected') return '';
    throw error;
  }
}
