import { Type } from 'typebox';
import { type ConnectorError, type ConnectorErrorKind, isKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';

/** Beside what statuses mean everywhere: a file that somebody has reserved is locked for others. */
const kinds: Readonly<Record<number, ConnectorErrorKind>> = { 423: 'forbidden' };
const ErrorAnswer = Type.Object({ errorKey: Type.String() });

/** The failure that an answer tells. Oracle's key of it goes into the log. */
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
