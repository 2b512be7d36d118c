import type { ConnectorError } from '../../../core/error.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { refusalOf } from '../../../kit/rest/refusal.ts';

/** The error for a code that is not exchanged: the host of tokens does not tell a wrong application from a wrong code. */
export const exchangeRefusal = (response: HttpResponse): ConnectorError =>
  response.status === 400 || response.status === 401 || response.status === 403 ? refusalOf(response, 'unauthorized') : refusalOf(response);
