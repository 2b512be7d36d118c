import { ConnectorError, type ConnectorErrorDetails } from '../../core/error.ts';

/** A server that speaks the gateway protocol, and its credentials. */
export interface GatewayConfig {
  /** `https://host:port`, without the scheme's default port. */
  readonly origin: string;
  /** Prefix of the protocol's paths: percent-encoded, '' at the root of the host, without a trailing slash. */
  readonly base: string;
  /** User name, or the id of a connection JSON. */
  readonly login: string;
  /** Value of the Authorization header: RFC 7617 or RFC 6750. */
  readonly authorization: string;
  /** Error kind of a refused login: a wrong password, or a revoked key. */
  readonly refused: 'unauthorized' | 'wrongKey';
}

type Info = Readonly<Record<string, string>>;

const badConfig = (field: string, message: string, details: ConnectorErrorDetails = {}) =>
  new ConnectorError('badConfig', message, { details: { field, ...details } });

/**
 * Parses `server`, `username` and `password` of a Sheaf file server; the server is a host name, host and port, or a URL; https is the
 * default. Throws `badConfig`.
 */
export function parseFileServerConfig(info: Info): GatewayConfig {
  const username = info['username']?.trim() ?? '';
  const password = info['password'] ?? '';
  // RFC 7617, section 2: the colon ends the user name.
  if (username === '' || /[\p{Cc}:]/u.test(username)) throw badConfig('username', 'no usable user name');
  if (password === '') throw badConfig('password', 'no password');
  const text = info['server']?.trim() ?? '';
  const host = /^[0-9a-f]*:[0-9a-f:]*:[0-9a-f:.]*$/i.test(text) ? `[${text}]` : text;
  return {
    ...parseAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `https://${host}`),
    login: username,
    authorization: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`,
    refused: 'unauthorized',
  };
}

/**
 * Parses `server`, which must start with http:// or https:// (otherwise details.reason is `noSchema`), and the connection JSON in
 * `authjson`. Throws `badConfig`.
 */
export function parseGatewayConfig(info: Info): GatewayConfig {
  const server = info['server']?.trim() ?? '';
  if (!/^https?:\/\//i.test(server)) throw badConfig('server', 'the address lacks http:// or https://', { reason: 'noSchema' });
  const { id, secret } = parseConnectionJson(info['authjson'] ?? '');
  return { ...parseAddress(server), login: id, authorization: `Bearer ${id}.${secret}`, refused: 'wrongKey' };
}

/** The format of connection JSONs in docs/gateway/protocol.md; unknown fields of later versions are ignored. */
function parseConnectionJson(text: string): { readonly id: string; readonly secret: string } {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || !('sheafGateway' in value) || !('id' in value) || !('secret' in value))
    throw badConfig('authjson', 'no connection JSON');
  const { sheafGateway, id, secret } = value;
  // RFC 6750, section 2.1: the characters of a bearer token; the first dot ends the id.
  if (sheafGateway !== 1 || !isToken(id, /^[A-Za-z0-9_~+/-]{1,200}$/) || !isToken(secret, /^[A-Za-z0-9._~+/-]{1,1000}=*$/))
    throw badConfig('authjson', 'no connection JSON of this version');
  return { id, secret };
}

const isToken = (value: unknown, allowed: RegExp): value is string => typeof value === 'string' && allowed.test(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The text is a secret that the parser's error quotes: the cause is dropped.
    if (error instanceof SyntaxError) throw badConfig('authjson', 'not JSON');
    throw error;
  }
}

function parseAddress(text: string): Pick<GatewayConfig, 'origin' | 'base'> {
  const url = URL.parse(text);
  if (!url || url.hostname === '' || !['https:', 'http:'].includes(url.protocol)) throw badConfig('server', 'not a server address');
  if (url.username !== '' || url.password !== '') throw badConfig('server', 'a login does not belong into the address');
  return { origin: url.origin, base: url.pathname.replace(/\/+$/, '') };
}
