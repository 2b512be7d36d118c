import { ConnectorError } from '../../core/error.ts';

/** The connection info of a link to one user's documents. */
export interface OracleConfig {
  /** `https://host:port`. */
  readonly origin: string;
  readonly username: string;
  readonly password: string;
}

/**
 * Validates connection info; throws `badConfig` with the missing or malformed field. Only the host of the URL is used; https unless it says
 * http.
 */
export function parseOracleConfig(info: Readonly<Record<string, string>>): OracleConfig {
  const given = info['url']?.trim() ?? '';
  const username = info['username']?.trim() ?? '';
  const password = info['password'] ?? '';
  if (given === '') throw badField('url', 'missing');
  if (username === '') throw badField('username', 'missing');
  if (password === '') throw badField('password', 'missing');
  // In Basic credentials the first colon ends the user name (RFC 7617, section 2).
  if (username.includes(':')) throw badField('username', 'malformed');
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.username !== '') throw badField('url', 'malformed');
  return { origin: url.origin, username, password };
}

const badField = (field: string, fault: string) => new ConnectorError('badConfig', `${field} is ${fault}`, { details: { field } });
