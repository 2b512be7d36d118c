import { createHash, createHmac } from 'node:crypto';

/** The payload hash of a body that is not hashed before it is sent. */
export const unsignedPayload = 'UNSIGNED-PAYLOAD';

export interface Unsigned {
  readonly method: string;
  /** Percent-encoded by {@link encodePath}. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Lower-case names; `host` must be among them. All are signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** Hex SHA-256 of the body, or {@link unsignedPayload}. */
  readonly payloadHash: string;
}

export interface Signer {
  readonly key: string;
  readonly secret: string;
  readonly region: string;
}

/**
 * Returns the headers that sign a request to S3: Signature Version 4 in the Authorization header.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signatureHeaders(request: Unsigned, { key, secret, region }: Signer, at: Date): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const date = time.slice(0, 8);
  const scope = `${date}/${region}/s3/aws4_request`;
  const added = { 'x-amz-content-sha256': request.payloadHash, 'x-amz-date': time };
  const headers = Object.entries({ ...request.headers, ...added }).sort(byName);
  const names = headers.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    request.path,
    encodeQuery(request.query),
    ...headers.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    names,
    request.payloadHash,
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const signature = hmac(signingKey(secret, date, region), toSign).toString('hex');
  return { ...added, authorization: `AWS4-HMAC-SHA256 Credential=${key}/${scope},SignedHeaders=${names},Signature=${signature}` };
}

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Percent-encodes everything except RFC 3986's unreserved characters, as the signature requires. Throws URIError for a lone surrogate. */
export const encodePart = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** Percent-encodes a key; slashes stay. */
export const encodePath = (key: string): string => key.split('/').map(encodePart).join('/');

/** Encodes a query in the canonical order, which is also the order on the wire. */
export const encodeQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]): [string, string] => [encodePart(name), encodePart(value)])
    .sort(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : a > b ? 1 : 0);

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const signingKey = (secret: string, date: string, region: string): Buffer =>
  ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secret}`, date), region));
