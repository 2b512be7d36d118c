import { Readable } from 'node:stream';
import { deadlines } from '../../core/deadlines.ts';
import type { Dialer } from '../../core/dialer.ts';
import { createHttp } from '../../kit/http/http-client.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { addressOf } from './address.ts';
import type { S3Config } from './config.ts';
import { readFailure, s3Error } from './errors.ts';
import { encodeQuery, sha256, signatureHeaders, unsignedPayload } from './signature.ts';

export interface S3Request {
  readonly method: 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** Absent when the request concerns the bucket. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
  readonly size?: number;
  readonly signal: AbortSignal;
  /**
   * Whether the service copies a large object, assembles parts or deletes a thousand objects: some services begin their response only when
   * the work is done, unlike Amazon.
   */
  readonly isLong?: true;
}

/** Signed requests about one bucket. */
export interface S3Client {
  /** Resolves with a successful response; otherwise rejects with the service's error. */
  send(request: S3Request): Promise<HttpResponse>;
  /** The region used to sign, as far as known. */
  region(): string;
  close(): void;
}

interface Surroundings {
  readonly dialer: Dialer;
  readonly maxConnections: number;
  readonly recallRegion: () => Promise<string | undefined>;
  readonly rememberRegion: (region: string) => Promise<void>;
  /** Clock for signatures. */
  readonly now?: () => Date;
}

const defaultRegion = 'us-east-1';

/**
 * Opens a client. The bucket's region is learnt from the service: a request signed for another region is refused with the right one, and
 * repeated. The region is requested before the first upload, which cannot be repeated, and before the first HEAD, whose refusal has no
 * body.
 */
export function createS3Client(config: S3Config, surroundings: Surroundings): S3Client {
  const { dialer, maxConnections, recallRegion, rememberRegion, now = () => new Date() } = surroundings;
  const http = createHttp({ origin: addressOf(config, defaultRegion).origin, dialer, verify: true, maxConnections });
  let region = config.region ?? defaultRegion;
  let settled = config.region !== undefined;
  let recalled: Promise<void> | undefined;

  const recall = async (): Promise<void> => {
    const known = settled ? undefined : await recallRegion();
    if (!known) return;
    region = known;
    settled = true;
  };

  const sendOnce = ({ method, key, query = {}, headers = {}, body, size, signal, isLong }: S3Request): Promise<HttpResponse> => {
    const { origin, host, path } = addressOf(config, region, key);
    const payloadHash = body instanceof Readable ? unsignedPayload : sha256(body ?? '');
    const signed = signatureHeaders({ method, path, query, headers: { host, ...headers }, payloadHash }, { ...config, region }, now());
    const search = encodeQuery(query);
    return http.request({
      method,
      origin,
      path: search ? `${path}?${search}` : path,
      headers: { ...headers, ...signed },
      signal,
      ...(body !== undefined && { body }),
      ...(size !== undefined && { size }),
      ...(isLong && { headTimeout: deadlines.longWork }),
    });
  };

  const send = async (request: S3Request, moved = false): Promise<HttpResponse> => {
    await (recalled ??= recall());
    if (!settled && (request.body instanceof Readable || request.method === 'HEAD')) await askRegion(request.signal);
    const response = await sendOnce(request);
    if (response.status < 300) {
      settled = true;
      return response;
    }
    const failure = await readFailure(response);
    if (moved || !failure.region || failure.region === region || request.body instanceof Readable) throw s3Error(failure);
    region = failure.region;
    settled = true;
    await rememberRegion(region);
    return send(request, true);
  };

  const askRegion = async (signal: AbortSignal): Promise<void> => {
    const answer = await send({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' }, signal });
    await answer.discard();
  };

  return { send: (request) => send(request), region: () => region, close: () => http.close() };
}
