import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { S3Error } from '../errors.ts';

/** The parts of a request that a signature covers. */
export interface Signed {
  readonly method: string;
  /** As sent, percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/** A signature as a request carries it, in the Authorization header or in the query: Signature Version 4. */
export interface Claim {
  readonly accessKeyId: string;
  /** `20261125/sheaf/s3/aws4_request`. */
  readonly scope: string;
  /** `20261125T101112Z`. */
  readonly time: string;
  readonly names: readonly string[];
  readonly signature: string;
  /** The hash of the body, or how the body is signed. */
  readonly payload: string;
  /** Seconds for which a presigned address is valid. */
  readonly validFor?: number;
}

export const unsignedPayload = 'UNSIGNED-PAYLOAD';
const algorithm = 'AWS4-HMAC-SHA256';
/** Longest life of a presigned address: a week. */
const longestLife = 604_800;
/** Seconds by which the client's clock may differ. */
const mostSkew = 900;

const hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Uint8Array, data: string): Buffer => createHmac('sha256', key).update(data).digest();
const one = (value: string | string[] | undefined): string => (Array.isArray(value) ? value.join(',') : (value ?? ''));
/** A header's value in the signed text. Clients choose the names: one such as "constructor" must not find what every object has. */
const signedText = (headers: IncomingHttpHeaders, name: string): string =>
  one(Object.hasOwn(headers, name) ? headers[name] : undefined)
    .trim()
    .replace(/\s+/g, ' ');
const emptyHash = hex('');

/** The claim of a request. Throws AccessDenied without one, or for one that cannot be read. */
export function claimOf({ query, headers }: Signed): Claim {
  const payload = one(headers['x-amz-content-sha256']) || unsignedPayload;
  const header = one(headers.authorization);
  if (header.startsWith(algorithm)) {
    const [, credential = ''] = /Credential=([^,\s]+)/.exec(header) ?? [];
    const [, names = ''] = /SignedHeaders=([^,\s]+)/.exec(header) ?? [];
    const [, signature = ''] = /Signature=([0-9a-f]{64})/.exec(header) ?? [];
    return readClaim({ credential, names, signature, payload, time: one(headers['x-amz-date']) });
  }
  if (header !== '') throw new S3Error('AccessDenied', 'Only signatures of version 4 are accepted.');
  if (query.get('X-Amz-Algorithm') !== algorithm) throw new S3Error('AccessDenied');
  const validFor = Number(query.get('X-Amz-Expires') ?? '');
  if (!Number.isInteger(validFor) || validFor < 1 || validFor > longestLife)
    throw new S3Error('AccessDenied', 'A presigned address is valid for a week at most.');
  const part = (name: string): string => query.get(`X-Amz-${name}`) ?? '';
  const [credential, names, signature, time] = [part('Credential'), part('SignedHeaders'), part('Signature'), part('Date')];
  return { ...readClaim({ credential, names, signature, payload, time }), validFor };
}

interface Written {
  readonly credential: string;
  readonly names: string;
  readonly signature: string;
  readonly payload: string;
  readonly time: string;
}

function readClaim({ credential, names, signature, payload, time }: Written): Claim {
  const [accessKeyId = '', date = '', region = '', service = '', end = '', ...more] = credential.split('/');
  const isWhole = service === 's3' && end === 'aws4_request' && more.length === 0 && /^\d{8}T\d{6}Z$/.test(time) && time.startsWith(date);
  const list = names.toLowerCase().split(';');
  if (!isWhole || date.length !== 8 || accessKeyId === '' || region === '' || signature.length !== 64 || !/^[0-9a-f]+$/.test(signature))
    throw new S3Error('AccessDenied', 'The signature cannot be read.');
  if (!list.includes('host')) throw new S3Error('AccessDenied', 'The signature must cover the host.');
  return { accessKeyId, scope: `${date}/${region}/s3/aws4_request`, time, names: list, signature, payload };
}

/** Checks the clock and which headers are signed. Throws RequestTimeTooSkewed, AccessDenied. */
export function checkClaim({ time, validFor, names }: Claim, headers: IncomingHttpHeaders, now: number): void {
  const signedAt = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')) / 1000;
  if (Number.isNaN(signedAt)) throw new S3Error('AccessDenied', 'The signature cannot be read.');
  if (signedAt > now + mostSkew || (validFor === undefined && signedAt < now - mostSkew)) throw new S3Error('RequestTimeTooSkewed');
  if (validFor !== undefined && now > signedAt + validFor) throw new S3Error('AccessDenied', 'The address has expired.');
  // Headers that change the meaning of a request must be signed. Some clients leave out the hash, which the signed text has anyway.
  const unsigned = Object.keys(headers).find(
    (name) => name.startsWith('x-amz-') && !['x-amz-content-sha256', 'x-amz-user-agent'].includes(name) && !names.includes(name),
  );
  if (unsigned !== undefined) throw new S3Error('AccessDenied', `The signature must cover ${unsigned}.`);
}

export const signingKey = (secret: string, scope: string): Buffer =>
  scope.split('/').reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`));

/** Encodes as AWS does: all but unreserved characters (RFC 3986, section 2.3). */
export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** The path in the form that AWS documents, for clients that send another one. */
function encodedPath(path: string): string {
  try {
    return path
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/');
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

/** Whether the claim's signature is the one that this secret key gives. */
export function isSignedBy(secret: string, { method, path, query, headers }: Signed, claim: Claim): boolean {
  const { scope, time, names, signature, payload } = claim;
  const pairs = [...query].filter(([name]) => name !== 'X-Amz-Signature').map(([name, value]) => [encode(name), encode(value)] as const);
  pairs.sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0));
  const key = signingKey(secret, scope);
  const isSame = (sentPath: string): boolean => {
    const canonical = [
      method,
      sentPath,
      pairs.map(([name, value]) => `${name}=${value}`).join('&'),
      ...names.map((name) => `${name}:${signedText(headers, name)}`),
      '',
      names.join(';'),
      payload,
    ].join('\n');
    const wanted = hmac(key, [algorithm, time, scope, hex(canonical)].join('\n')).toString('hex');
    return timingSafeEqual(Buffer.from(wanted), Buffer.from(signature));
  };
  return isSame(path) || isSame(encodedPath(path));
}

/** The signature of the next chunk of a signed stream (STREAMING-AWS4-HMAC-SHA256-PAYLOAD). */
export const chunkSignature = (key: Uint8Array, { time, scope }: Claim, previous: string, hash: string): string =>
  hmac(key, ['AWS4-HMAC-SHA256-PAYLOAD', time, scope, previous, emptyHash, hash].join('\n')).toString('hex');

/** The signature of the headers after such a stream. */
export const trailerSignature = (key: Uint8Array, { time, scope }: Claim, previous: string, trailers: string): string =>
  hmac(key, ['AWS4-HMAC-SHA256-TRAILER', time, scope, previous, hex(trailers)].join('\n')).toString('hex');
