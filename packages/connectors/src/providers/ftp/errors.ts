import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';

/** One answer of the server: RFC 959, 4.2. `lines` hold bytes as latin1 text, the code taken off. */
export interface Reply {
  readonly code: number;
  readonly lines: readonly string[];
}

/**
 * What a refusal means where its code alone tells (RFC 959, 4.2.2; RFC 4217). 450, 550 and 553 say only "no": whoever sent the command knows
 * what to look at next, and the text is for people.
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

/** The error for a reply that refuses `what`; the text of the reply stays out, for a server may repeat what it was sent. */
export const refusal = ({ code }: Reply, what: string): ConnectorError =>
  new ConnectorError(kinds[code] ?? 'unexpected', `${what}: ${code}`, { retryable: retryable.has(code) });

/** The error for a refusal to make something under a name of our own, in a folder that is there: what is missing is the right to write. */
export const denial = (reply: Reply, what: string): ConnectorError =>
  isPlainNo(reply) ? new ConnectorError('forbidden', `${what}: ${reply.code}`) : refusal(reply, what);

/** Whether the server only said "no", which may mean missing, taken or forbidden. */
export const isPlainNo = ({ code }: Reply): boolean => code === 450 || code === 550 || code === 553;
