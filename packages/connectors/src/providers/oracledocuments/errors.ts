import { Type } from 'typebox';
import { type ConnectorError, type ConnectorErrorKind, isKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';

/** In addition to the common statuses: a file reserved by another user is locked. */
const kinds: Readonly<Record<number, ConnectorErrorKind>> = { 423: 'forbidden' };
const ErrorAnswer = Type.Object({ errorKey: Type.String() });

/** Maps an error response. Oracle's error key goes to the log. */
export const oracleError = (response: HttpResponse, text: string): ConnectorError =>
  refusalOf(response, kinds[response.status], keyIn(text));

function keyIn(text: string): string {
  try {
    const { errorKey } = parseJson(ErrorAnswer, text);
    return /^[!\w.,-]{1,80}$/.test(errorKey) ? errorKey : '';
  } catch (error) {
    if (isKind(error, 'unexpected')) return '';
    throw error;
  }
}
