import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';

/** One reply of the server: RFC 959, 4.2. `lines` contain bytes as latin1 text without the code. */
export interface Reply {
  readonly code: number;
  readonly lines: readonly string[];
}

/**
 * Error kinds by reply code (RFC 959, 4.2.2; RFC 4217). 450, 550 and 553 only mean refusal: the sender of the command must find out why,
 * because the text is for humans.
 */
const kinds: Readonly<Record<number, ConnectorErrorKind>> = {
  421: 'rateLimited',
  425: 'unreachable',
  426: 'interrupted',
  430: 'unauthorized',
  431: 'certificateMissing',
  451: 'interrupted',
  452: 'full',
  500: 'unsupported',
  501: 'badName',
  502: 'unsupported',
  504: 'unsupported',
  530: 'unauthorized',
  532: 'unauthorized',
  534: 'certificateMissing',
  550: 'forbidden',
  552: 'full',
  553: 'badName',
};
const retryable = new Set([421, 425]);

/** Returns the error for a reply that refuses `what`; omits the reply's text, which may echo what was sent. */
export const refusal = ({ code }: Reply, what: string): ConnectorError =>
  new ConnectorError(kinds[code] ?? 'unexpected', `${what}: ${code}`, { retryable: retryable.has(code) });

/** Returns the error for a refused creation under a temporary name in an existing folder: write permission is missing. */
export const denial = (reply: Reply, what: string): ConnectorError =>
  isPlainNo(reply) ? new ConnectorError('forbidden', `${what}: ${reply.code}`) : refusal(reply, what);

/** Whether the reply is a plain refusal, which may mean missing, taken or forbidden. */
export const isPlainNo = ({ code }: Reply): boolean => code === 450 || code === 550 || code === 553;
