import { createHmac } from 'node:crypto';

export interface Unsigned {
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentLength: number;
}

/** Standard headers signed by position, in this order; Content-Length comes between the second and the third. */
const placedBefore = ['content-encoding', 'content-language'] as const;
const placedAfter = [
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
] as const;

/**
 * Returns the Authorization header of a request to Blob storage: Shared Key. `secret` is the account's key, base64.
 * https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 */
export function sharedKey({ method, path, query, headers, contentLength }: Unsigned, account: string, secret: string): string {
  const valueOf = (name: string): string => headers[name] ?? '';
  const own = Object.keys(headers).filter((name) => name.startsWith('x-ms-'));
  const text = [
    method,
    ...placedBefore.map(valueOf),
    contentLength === 0 ? '' : String(contentLength),
    ...placedAfter.map(valueOf),
    ...own.sort().map((name) => `${name}:${valueOf(name).trim()}`),
    `/${account}${path}`,
    ...Object.keys(query)
      .sort()
      .map((name) => `${name.toLowerCase()}:${query[name] ?? ''}`),
  ].join('\n');
  return `SharedKey ${account}:${createHmac('sha256', Buffer.from(secret, 'base64')).update(text, 'utf8').digest('base64')}`;
}

interface ReadAccess {
  readonly account: string;
  readonly container: string;
  /** The blob's name, not encoded. */
  readonly blob: string;
  /** Epoch milliseconds. */
  readonly expires: number;
  readonly isHttpsOnly: boolean;
}

/** Version of the service that defines these signatures. */
const sasVersion = '2020-12-06';

/**
 * Returns the query of a URL with which anybody may read one blob until a given time: a service SAS. It is a secret.
 * https://learn.microsoft.com/rest/api/storageservices/create-service-sas
 */
export function readAccess({ account, container, blob, expires, isHttpsOnly }: ReadAccess, secret: string): string {
  const permissions = 'r';
  const expiry = new Date(expires).toISOString().replace(/\.\d+Z$/, 'Z');
  const resource = 'b';
  const protocol = isHttpsOnly ? 'https' : '';
  const [start, policy, addresses, snapshot, encryption] = ['', '', '', '', ''];
  const responseHeaders = ['', '', '', '', ''];
  const text = [
    permissions,
    start,
    expiry,
    `/blob/${account}/${container}/${blob}`,
    policy,
    addresses,
    protocol,
    sasVersion,
    resource,
    snapshot,
    encryption,
    ...responseHeaders,
  ].join('\n');
  const sig = createHmac('sha256', Buffer.from(secret, 'base64')).update(text, 'utf8').digest('base64');
  return new URLSearchParams({
    sv: sasVersion,
    sr: resource,
    sp: permissions,
    se: expiry,
    ...(isHttpsOnly && { spr: protocol }),
    sig,
  }).toString();
}
