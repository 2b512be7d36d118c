import { type ConnectorError, type ConnectorErrorKind, isKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';
import { ErrorAnswer } from './api.ts';

/** The error numbers known from clients; others are mapped by status. */
const kinds: Readonly<Record<number, ConnectorErrorKind>> = { 1300: 'notFound', 1301: 'alreadyExists' };

/** Parses an error response. */
export async function copyError(response: HttpResponse): Promise<ConnectorError> {
  const number = numberIn(await response.text());
  const kind = kinds[number] ?? (response.status === 401 ? 'needsAuthorization' : undefined);
  return refusalOf(response, kind, number === 0 ? '' : String(number));
}

function numberIn(text: string): number {
  try {
    return parseJson(ErrorAnswer, text).error;
  } catch (error) {
    if (isKind(error, 'unexpected')) return 0;
    throw error;
  }
}
