import type { ConnectorError } from '../../../core/error.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { refusalOf } from '../../../kit/rest/refusal.ts';

/** Maps the error of a code exchange: the token host does not distinguish a wrong application from a wrong code. */
export const exchangeRefusal = (response: HttpResponse): ConnectorError =>
  response.status === 400 || response.status === 401 || response.status === 403 ? refusalOf(response, 'unauthorized') : refusalOf(response);
