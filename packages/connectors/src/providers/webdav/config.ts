import { certificateRules } from '@sheaf/contract';
import { ConnectorError } from '../../core/error.ts';
import { flavourOf } from './flavours.ts';

/** A WebDAV link's connection info, checked. */
export interface WebdavConfig {
  /** `https://host:port`, the port left out when it is the scheme's own. */
  readonly origin: string;
  /** Path of the folder in which the link starts: percent-encoded, '' for the server's root, no slash at its end. */
  readonly base: string;
  /** What stands before a path in `Destination` headers; see the connector. */
  readonly destination: string;
  readonly username: string;
  readonly password: string;
  readonly authType: 'basic' | 'digest';
  /** Whether certificates must be right. */
  readonly verify: boolean;
  /** Fingerprint of the certificate that the user has accepted, or ''. */
  readonly acceptedCertificate: string;
}

const badConfig = (field: string, message: string) => new ConnectorError('badConfig', message, { details: { field } });

/**
 * Reads `server`, `username`, `password`, `authType`, `enforceSSL`, `acceptedCertificate` and `destinationUrl`; rejects with `badConfig` and details.field. What the provider prescribes
 * takes the place of what is left empty.
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

/** A bare name, name and port, or a whole address; https unless it says otherwise. */
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
