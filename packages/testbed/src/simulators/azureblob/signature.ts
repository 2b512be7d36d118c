import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const positions = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
] as const;

/** Milliseconds that the clock of a client may be wrong by. */
const skew = 15 * 60_000;

/** Whether a request is signed as https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key says. `key` is base64. */
export function isSigned({ method = '', url = '', headers }: IncomingMessage, account: string, key: string): boolean {
  const date = Date.parse(headers['x-ms-date']?.toString() ?? '');
  if (!(Math.abs(date - Date.now()) < skew)) return false;
  const [path = '', search = ''] = url.split('?');
  const lines = [method];
  for (const name of positions) {
    const value = headers[name]?.toString() ?? '';
    lines.push(name === 'content-length' && value === '0' ? '' : value);
  }
  const own = Object.keys(headers).filter((name) => name.startsWith('x-ms-'));
  for (const name of own.sort()) lines.push(`${name}:${headers[name]?.toString().trim() ?? ''}`);
  lines.push(`/${account}${path}`);
  const query = [...new URLSearchParams(search.replaceAll('+', '%2B'))];
  for (const [name, value] of query.sort(([a], [b]) => (a < b ? -1 : 1))) lines.push(`${name.toLowerCase()}:${value}`);
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(lines.join('\n'), 'utf8').digest('base64');
  return headers.authorization === `SharedKey ${account}:${signature}`;
}
