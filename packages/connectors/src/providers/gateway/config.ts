import { ConnectorError } from '../../core/error.ts';

/** A server that speaks the gateway protocol, and how to sign in there. */
export interface GatewayConfig {
  /** `https://host:port`, the port left out when it is the scheme's own. */
  readonly origin: string;
  /** What stands before the protocol's paths: percent-encoded, '' at the root of the host, no slash at its end. */
  readonly base: string;
  /** Who signs in: a user name, or the id of a connection JSON. */
  readonly login: string;
  /** Value of the header of that name: RFC 7617 or RFC 6750. */
  readonly authorization: string;
  /** What a refused login means: a wrong password, or a key that holds no longer. */
  readonly refused: 'unauthorized' | 'wrongKey';
}

type Info = Readonly<Record<string, string>>;

const badConfig = (field: string, message: string, details: Readonly<Record<string, string>> = {}) =>
  new ConnectorError('badConfig', message, { details: { field, ...details } });

/** Reads `server`, `username` and `password` of a Sheaf file server; the server is a bare name, name and port, or a whole address, https unless it says otherwise. Throws `badConfig`. */
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

/** Reads `server`, which must begin with http:// or https:// (else details.reason is `noSchema`), and the connection JSON in `authjson`. Throws `badConfig`. */
export function parseGatewayConfig(info: Info): GatewayConfig {
  const server = info['server']?.trim() ?? '';
  if (!/^https?:\/\//i.test(server)) throw badConfig('server', 'the address lacks http:// or https://', { reason: 'noSchema' });
  const { id, secret } = parseConnectionJson(info['authjson'] ?? '');
  return { ...parseAddress(server), login: id, authorization: `Bearer ${id}.${secret}`, refused: 'wrongKey' };
}

/** The shape that docs/gateway/protocol.md gives connection JSONs; fields that later versions add are no obstacle. */
function parseConnectionJson(text: string): { readonly id: string; readonly secret: string } {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || !('sheafGateway' in value) || !('id' in value) || !('secret' in value))
    throw badConfig('authjson', 'no connection JSON');
  const { sheafGateway, id, secret } = value;
  // RFC 6750, section 2.1: what a bearer token may consist of; the first dot ends the id.
  if (sheafGateway !== 1 || !isToken(id, /^[A-Za-z0-9_~+/-]{1,200}$/) || !isToken(secret, /^[A-Za-z0-9._~+/-]{1,1000}=*$/))
    throw badConfig('authjson', 'no connection JSON of this version');
  return { id, secret };
}

const isToken = (value: unknown, allowed: RegExp): value is string => typeof value === 'string' && allowed.test(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The text is a secret, and the parser quotes it: its error goes no further.
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
