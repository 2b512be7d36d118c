import type { ConnectorErrorKind } from '../../../core/error.ts';
import { ConnectorError } from '../../../core/error.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { faultOf, graphRefusal } from '../graph/meta-refusal.ts';

/**
 * Maps the error of a code or token exchange; `refused` is the kind for a rejected code or token. A wrong application has codes of its own.
 */
export function exchangeRefusal(response: HttpResponse, text: string, refused: ConnectorErrorKind): ConnectorError {
  const code = faultOf(text)?.code;
  const kind =
    response.status >= 500 ? undefined : code === 1 || code === 101 ? 'appRefused' : code === 100 || code === 190 ? refused : undefined;
  return kind === undefined ? graphRefusal(response, text) : new ConnectorError(kind, `Facebook answered ${response.status}, code ${code}`);
}
