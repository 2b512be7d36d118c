import { ConnectorError } from '../../core/error.ts';
import { parseServerAddress } from '../../kit/net/server-address.ts';

export interface SftpConfig {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  /** With a key file: its passphrase. */
  readonly password: string;
  /** A private key in OpenSSH, PEM or PuTTY format; empty for password login. */
  readonly keyfileContent: string;
  /** The start folder; relative to the account's home unless it starts with `/`. Empty is the home. */
  readonly path: string;
  readonly numConcurrentConnections: number;
  readonly accessType: string;
  /** Whether the server must present the same host key as on first use. */
  readonly enforceSSL: 'ENFORCE_MATCH' | 'IGNORE_MATCH';
  /** Fingerprint of a changed host key that the user accepted. */
  readonly acceptedHostKey: string;
}

const mostConnections = 20;

/** Completes raw connection info. Throws `badConfig` with details.field. */
export function parseConfig(info: Readonly<Record<string, string>>): SftpConfig {
  const { username = '', password = '', keyfileContent = '', enforceSSL = '' } = info;
  const { host, port } = parseServerAddress(info['server'] ?? '', 22);
  const numConcurrentConnections = Number(info['numConcurrentConnections'] || 3);
  if (username === '') throw bad('username');
  if (password === '' && keyfileContent.trim() === '') throw bad('password');
  if (!Number.isInteger(numConcurrentConnections) || numConcurrentConnections < 1 || numConcurrentConnections > mostConnections)
    throw bad('numConcurrentConnections');
  return {
    host,
    port,
    username,
    password,
    keyfileContent: keyfileContent.trim() === '' ? '' : keyfileContent,
    path: (info['path'] ?? '').trim(),
    numConcurrentConnections,
    accessType: info['accessType'] ?? '',
    enforceSSL: enforceSSL.toUpperCase() === 'IGNORE_MATCH' ? 'IGNORE_MATCH' : 'ENFORCE_MATCH',
    acceptedHostKey: info['acceptedHostKey'] ?? '',
  };
}

const bad = (field: string) => new ConnectorError('badConfig', `${field} is missing or malformed`, { details: { field } });
