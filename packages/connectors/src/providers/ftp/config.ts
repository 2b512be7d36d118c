import { certificateRules, concurrentConnectionChoices, defaultConnections, ftpProtocols } from '@sheaf/contract';
import { ConnectorError } from '../../core/error.ts';
import { parseServerAddress } from '../../kit/net/server-address.ts';

/** The validated connection info of an FTP link. */
export interface FtpConfig {
  readonly host: string;
  readonly port: number;
  /** Explicit TLS on control and data connections (RFC 4217). */
  readonly secure: boolean;
  /** Whether certificates must be valid. */
  readonly verify: boolean;
  /** Fingerprint of the certificate that the user accepted, or ''. */
  readonly acceptedCertificate: string;
  readonly username: string;
  readonly password: string;
  /** Start folder: absolute, or relative to the login folder; '' is the login folder. */
  readonly path: string;
  readonly connections: number;
}

/**
 * Parses `server`, `protocol`, `username`, `password`, `numConcurrentConnections`, `path`, `enforceSSL` and `acceptedCertificate`; throws
 * `badConfig` with details.field.
 */
export function parseFtpConfig(info: Readonly<Record<string, string>>): FtpConfig {
  const { host, port } = parseServerAddress(info['server'] ?? '', 21);
  const protocol = info['protocol'] ?? ftpProtocols.explicitTls;
  const username = info['username'] ?? '';
  if (username === '') throw new ConnectorError('badConfig', 'no user name', { details: { field: 'username' } });
  if (/[\r\n\0]/.test(username + (info['password'] ?? '')))
    throw new ConnectorError('badConfig', 'line break in a login', { details: { field: 'username' } });
  const connections = Number(info['numConcurrentConnections'] ?? defaultConnections.ftp);
  if (!concurrentConnectionChoices.some((choice) => choice === connections)) {
    throw new ConnectorError('badConfig', 'number of connections', { details: { field: 'numConcurrentConnections' } });
  }
  return {
    host,
    port,
    secure: protocol.trim().toUpperCase() !== ftpProtocols.plain,
    verify: info['enforceSSL'] !== certificateRules.ignore,
    acceptedCertificate: info['acceptedCertificate'] ?? '',
    username,
    password: info['password'] ?? '',
    path: info['path']?.trim() ?? '',
    connections,
  };
}
