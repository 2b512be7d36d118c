import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';
import { sftpNumbers } from '../../kit/sftp/numbers.ts';

export const { status } = sftpNumbers;

const kindOfStatus = new Map<number, ConnectorErrorKind>([
  [status.noSuchFile, 'notFound'],
  [status.permissionDenied, 'forbidden'],
  // OpenSSH's answer to a name that is too long or invalid for its file system.
  [status.badMessage, 'badName'],
  [status.noConnection, 'unreachable'],
  [status.connectionLost, 'unreachable'],
  [status.unsupported, 'unsupported'],
]);

/** A refusal with the server's status code. SSH_FX_FAILURE carries no reason; the caller has to find out. */
export class StatusError extends ConnectorError {
  readonly code: number;

  constructor(code: number) {
    super(kindOfStatus.get(code) ?? 'unexpected', `the server answered with SFTP status ${code}`);
    this.code = code;
  }
}

/** Whether the server refused without a reason. */
export const isBareFailure = (error: unknown): boolean => error instanceof StatusError && error.code === status.failure;

export const aborted = (): ConnectorError => new ConnectorError('aborted', 'given up by the caller');

/** Returns the error of an interrupted connection; the request may be retried on another. */
export const cutOff = (cause?: unknown): ConnectorError =>
  new ConnectorError('interrupted', 'the connection was cut', { retryable: true, ...(cause !== undefined && { cause }) });

/** Maps a failed SSH login, by the level that ssh2 puts on its errors (https://github.com/mscdex/ssh2#client-events). */
export function loginError(error: Error, offered: readonly string[], wanted: readonly string[]): ConnectorError {
  const level = 'level' in error ? error.level : undefined;
  if (level === 'client-authentication') {
    const possible = offered.length === 0 || wanted.some((method) => offered.includes(method));
    const details = wanted.every((method) => method === 'publickey') ? { problem: 'key' } : {};
    return possible
      ? new ConnectorError('unauthorized', 'the server refused the login', { cause: error, details })
      : new ConnectorError('authType', `the server wants ${offered.join(' or ')}`, { cause: error });
  }
  if (level === 'client-timeout') return new ConnectorError('timeout', 'the login took too long', { cause: error, retryable: true });
  return new ConnectorError('unreachable', 'the SSH handshake failed', { cause: error, retryable: level === 'client-socket' });
}
