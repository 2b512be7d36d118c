import { isIPv6 } from 'node:net';
import { ConnectorError } from '../../core/error.ts';

/**
 * Parses `name`, `name:port`, `[v6]:port`, a bare IPv6 address, or any of these with a scheme before and a path after it. Rejects with
 * `badConfig` (details.field `server`).
 */
export function parseServerAddress(text: string, defaultPort: number): { readonly host: string; readonly port: number } {
  const authority = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/^.*@/, '');
  const [, bracketed, bareV6, name, digits] =
    /^(?:\[([0-9a-f:.%]+)\]|([0-9a-f.]*:[0-9a-f:.]*:[0-9a-f:.]*)|([^\s:[\]]+))(?::(\d{1,5}))?$/i.exec(authority) ?? [];
  const host = bracketed ?? bareV6 ?? name;
  const port = digits === undefined ? defaultPort : Number(digits);
  const v6 = bracketed ?? bareV6;
  const isName = v6 === undefined || isIPv6(v6.replace(/%.*$/, ''));
  if (host === undefined || !isName || port < 1 || port > 65_535)
    throw new ConnectorError('badConfig', 'not a server address', { details: { field: 'server' } });
  return { host, port };
}
