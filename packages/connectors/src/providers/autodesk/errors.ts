import { Type } from 'typebox';
import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';

/** Data Management speaks JSON:API, the gateway before it has codes of its own; of the object store's `reason` nothing is used. */
const Failure = Type.Object({
  errors: Type.Optional(Type.Array(Type.Object({ code: Type.Optional(Type.String()) }))),
  errorCode: Type.Optional(Type.String()),
});

/** https://aps.autodesk.com/en/docs/oauth/v2/developers_guide/error_handling/: the token lacks a scope that the work needs. */
const kindOfCode: Readonly<Record<string, ConnectorErrorKind>> = { 'AUTH-010': 'needsAuthorization' };
/** 423: somebody else holds the item. */
const kindOfStatus: Readonly<Record<number, ConnectorErrorKind>> = { 423: 'forbidden' };

/** The error for an answer of Autodesk's that is no success. */
export function autodeskError(response: HttpResponse, text: string): ConnectorError {
  const code = codeIn(text);
  return refusalOf(response, kindOfCode[code] ?? kindOfStatus[response.status], code);
}

/** The error for an answer of the store behind signed addresses. What it refuses with 403 is an address that has ended, which another try renews. */
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
