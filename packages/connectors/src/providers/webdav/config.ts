import { certificateRules } from '@sheaf/contract';
import { ConnectorError } from '../../core/error.ts';
import { flavourOf } from './flavours.ts';

/** The validated connection info of a WebDAV link. */
export interface WebdavConfig {
  /** `https://host:port`, without the scheme's default port. */
  readonly origin: string;
  /** Path of the link's start folder: percent-encoded, '' for the server's root, without a trailing slash. */
  readonly base: string;
  /** Prefix of paths in `Destination` headers; see the connector. */
  readonly destination: string;
  readonly username: string;
  readonly password: string;
  readonly authType: 'basic' | 'digest';
  /** Whether certificates must be valid. */
  readonly verify: boolean;
  /** Fingerprint of the certificate that the user accepted, or ''. */
  readonly acceptedCertificate: string;
}

const badConfig = (field: string, message: string) => new ConnectorError('badConfig', message, { details: { field } });

/**
 * Parses `server`, `username`, `password`, `authType`, `enforceSSL`, `acceptedCertificate` and `destinationUrl`; throws `badConfig` with
 * details.field. Empty fields take the provider's defaults.
 */
export function parseWebdavConfig(info: Readonly<Record<string, string>>, provider: string): WebdavConfig {
  const username = info['username']?.trim() ?? '';
  if (username === '' || /[\p{Cc}]/u.test(username)) throw badConfig('username', 'no usable user name');
  const authType = (info['authType'] ?? 'basic').trim().toLowerCase() || 'basic';
  if (authType !== 'basic' && authType !== 'digest') throw badConfig('authType', 'an unknown way of login');
  // RFC 7617, section 2: the colon ends the user name.
  if (authType === 'basic' && username.includes(':')) throw badConfig('username', 'a user name with a colon cannot be sent');
  const flavour = flavourOf(provider, username);
  const server = parseAddress(info['server']?.trim() || flavour.server, 'server');
  const named = info['destinationUrl']?.trim() || flavour.destinationUrl;
  return {
    ...places(server, named === '' ? undefined : parseAddress(named, 'destinationUrl')),
    username,
    password: info['password'] ?? '',
    authType,
    verify: info['enforceSSL'] !== certificateRules.ignore,
    acceptedCertificate: info['acceptedCertificate'] ?? '',
  };
}

/** Parses a host name, host and port, or a URL; https by default. */
function parseAddress(text: string, field: string): URL {
  const host = /^[0-9a-f]*:[0-9a-f:]*:[0-9a-f:.]*$/i.test(text) ? `[${text}]` : text;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `https://${host}`);
  if (!url || url.hostname === '' || !['https:', 'http:'].includes(url.protocol)) throw badConfig(field, 'not a server address');
  if (url.username !== '' || url.password !== '') throw badConfig(field, 'a login does not belong into the address');
  return url;
}

const pathOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');

function places(server: URL, named: URL | undefined): Pick<WebdavConfig, 'origin' | 'base' | 'destination'> {
  const { origin } = server;
  const [base, place] = [pathOf(server), named ? pathOf(named) : ''];
  if (!named) return { origin, base, destination: origin + base };
  const isHome = named.origin === origin && `${place}/`.startsWith(`${base}/`);
  return { origin, base: isHome ? place : base, destination: named.origin + place };
}
