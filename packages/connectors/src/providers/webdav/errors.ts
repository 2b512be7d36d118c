import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { childText, scanXml } from '../../kit/xml/xml.ts';

/** Error kinds by status: RFC 9110, section 15, and RFC 4918, section 11. */
const kinds: Readonly<Record<number, ConnectorErrorKind>> = {
  400: 'badName',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  405: 'unsupported',
  408: 'timeout',
  409: 'notFound',
  410: 'notFound',
  412: 'alreadyExists',
  413: 'full',
  414: 'badName',
  416: 'badRange',
  423: 'forbidden',
  424: 'forbidden',
  429: 'rateLimited',
  501: 'unsupported',
  502: 'unreachable',
  503: 'rateLimited',
  504: 'unreachable',
  507: 'full',
};

const passing: readonly number[] = [408, 429, 500, 502, 503, 504];

/** Returns the error for an unsuccessful status. */
export function statusError(status: number, headers: HttpResponse['headers'] = {}): ConnectorError {
  const retryAfter = retryAfterOf(headers['retry-after']);
  return new ConnectorError(kinds[status] ?? (status >= 500 ? 'failed' : 'unexpected'), `the server answered ${status}`, {
    retryable: passing.includes(status),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Parses Retry-After, RFC 9110, section 10.2.3: seconds or a date; returns ms from now. */
function retryAfterOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const wait = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Statuses of a refused change that may also mean a missing parent: servers on Go's WebDAV library use 404 and 405 for all of these. */
export const mayLackParent: readonly number[] = [404, 405, 409, 500];

/** Rejects with the error of an unsuccessful response; for a multi-status response (RFC 4918, section 13) with the first failure in it. */
export async function refuse(response: HttpResponse): Promise<never> {
  if (response.status === 207) throw statusError((await firstFailure(response)) ?? 500);
  await response.discard();
  throw statusError(response.status, response.headers);
}

async function firstFailure(response: HttpResponse): Promise<number | undefined> {
  for await (const elements of scanXml(response.stream(), ['response'])) {
    const failure = elements
      .map((element) => statusOf(childText(element, 'status')))
      .find((status) => status !== undefined && status >= 400 && status !== 424);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Returns the status code in a status line such as `HTTP/1.1 404 Not Found`. */
export function statusOf(line: string | undefined): number | undefined {
  const digits = /^\s*HTTP\/\d(?:\.\d)? (\d{3})/.exec(line ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
