import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';
import type { HttpResponse } from '../http/http.ts';

/** Error kinds by status as most services use them: RFC 9110, section 15. A provider's own codes take precedence. */
const kindOfStatus: Readonly<Record<number, ConnectorErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  409: 'alreadyExists',
  410: 'notFound',
  412: 'alreadyExists',
  413: 'full',
  416: 'badRange',
  429: 'rateLimited',
  500: 'unreachable',
  502: 'unreachable',
  503: 'rateLimited',
  504: 'unreachable',
  507: 'full',
};
const passing: ReadonlySet<ConnectorErrorKind> = new Set<ConnectorErrorKind>(['rateLimited', 'unreachable', 'interrupted', 'timeout']);

/** Parses `Retry-After` to milliseconds; it contains seconds or a date (RFC 9110, section 10.2.3). Undefined when missing or invalid. */
export function retryAfterOf(headers: HttpResponse['headers']): number | undefined {
  const text = headers['retry-after'] ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The error for an error response. `kind` is the provider's own meaning, if any; `code` is for the log and must not contain secrets. */
export function refusalOf(
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  kind?: ConnectorErrorKind,
  code = '',
): ConnectorError {
  const told = kind ?? kindOfStatus[status] ?? 'unexpected';
  const retryAfter = retryAfterOf(headers);
  return new ConnectorError(told, `the service answered ${status}${code === '' ? '' : ` ${code}`}`, {
    retryable: passing.has(told),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}
