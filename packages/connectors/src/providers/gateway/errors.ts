import { ConnectorError, type ConnectorErrorKind, isKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { parseObject } from './api.ts';
import type { GatewayConfig } from './config.ts';

/** Error kinds by protocol code; `unauthorized` depends on the kind of credentials. */
const kindOfCode: Readonly<Record<string, ConnectorErrorKind>> = {
  alreadyExists: 'alreadyExists',
  badName: 'badName',
  badRange: 'badRange',
  damaged: 'damaged',
  forbidden: 'forbidden',
  full: 'full',
  isAFolder: 'isAFolder',
  notAFolder: 'notAFolder',
  notFound: 'notFound',
  rateLimited: 'rateLimited',
  sizeDiffers: 'sizeDiffers',
  unauthorized: 'unauthorized',
  unexpected: 'unexpected',
  unsupported: 'unsupported',
};

/** Error kinds for responses of a reverse proxy, which has no codes: RFC 9110, section 15. */
const kindOfStatus: Readonly<Record<number, ConnectorErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  413: 'full',
  429: 'rateLimited',
  502: 'unreachable',
  503: 'rateLimited',
  504: 'unreachable',
};
const passing: readonly ConnectorErrorKind[] = ['rateLimited', 'unreachable'];
/** Maximum bytes of an error's JSON. */
const bodyLimit = 16 * 1024;

/** Returns the error for a code in a listing's last line. */
export const codeError = (code: unknown): ConnectorError =>
  new ConnectorError(kindOfCode[typeof code === 'string' ? code : ''] ?? 'unexpected', `the server says ${JSON.stringify(code)}`);

/** Rejects with the error of a failed response. */
export async function refuse(response: HttpResponse, refused: GatewayConfig['refused']): Promise<never> {
  const { status, headers } = response;
  const code = await codeOf(response);
  const told = kindOfCode[code ?? ''] ?? kindOfStatus[status] ?? 'unexpected';
  const kind = told === 'unauthorized' ? refused : told;
  const seconds = /^\d{1,9}$/.exec(headers['retry-after'] ?? '')?.[0];
  throw new ConnectorError(kind, `the server answered ${status}${code === undefined ? '' : ` ${code}`}`, {
    retryable: passing.includes(kind),
    ...(seconds !== undefined && { retryAfter: Number(seconds) * 1000 }),
  });
}

/** Returns the code in the response's JSON; undefined when it does not come from a server of this protocol. */
async function codeOf(response: HttpResponse): Promise<string | undefined> {
  try {
    const { code } = parseObject(await response.text(bodyLimit));
    return typeof code === 'string' && code in kindOfCode ? code : undefined;
  } catch (error) {
    if (isKind(error, 'unexpected')) return undefined;
    throw error;
  }
}
