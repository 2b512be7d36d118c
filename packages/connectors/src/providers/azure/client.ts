import { Readable } from 'node:stream';
import type { Dialer } from '../../core/dialer.ts';
import { createHttp } from '../../kit/http/http-client.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import type { AzureConfig } from './config.ts';
import { azureError } from './errors.ts';
import { blobNameOf } from './names.ts';
import { readAccess, sharedKey } from './signature.ts';

export interface AzureRequest {
  readonly method: 'DELETE' | 'GET' | 'HEAD' | 'PUT';
  /** Absent when the request concerns the container. */
  readonly blob?: string;
  /** The request concerns all containers of the account. */
  readonly ofAccount?: true;
  readonly query?: Readonly<Record<string, string>>;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
  /** Bytes of a streamed body. */
  readonly size?: number;
  readonly signal: AbortSignal;
}

/** What the answer to a write told about versioning. */
export interface LastWrite {
  /** Epoch milliseconds, by the service's clock. */
  readonly at: number;
  readonly isVersioned: boolean;
}

/** Signed requests about one container. */
export interface AzureClient {
  /** Resolves with a successful response; otherwise rejects with the service's error. */
  send(request: AzureRequest): Promise<HttpResponse>;
  /** Returns the URL of a blob, or of one of its versions or snapshots, as a copy source. */
  addressOf(blob: string, of?: Readonly<Record<string, string>>): string;
  /** Returns a URL with which any account may read the blob for a day. It is a secret. */
  sharedAddressOf(blob: string): string;
  /** The last write through this client. */
  lastWrite(): LastWrite | undefined;
  /** URL of the account. */
  readonly account: string;
  /** The common part of the URLs of all accounts of the same service. */
  readonly service: string;
  close(): void;
}

/** Milliseconds for which another account may read a blob: until its copy is complete. */
const sharedFor = 86_400_000;
/** The newest version supported by both the public cloud and its emulator. */
const version = '2021-10-04';

export function createAzureClient(config: AzureConfig, dialer: Dialer, maxConnections: number): AzureClient {
  const { origin, base, account, secret, container } = config;
  const http = createHttp({ origin, dialer, verify: true, maxConnections });
  /** Whether the URL belongs to another account than the one that signs. */
  const otherAccount = accountIn(config) !== account;
  const pathOf = (blob?: string): string =>
    `${base}/${encodePart(container)}${blob === undefined ? '' : `/${encodePath(blobNameOf(blob))}`}`;

  let lastWrite: LastWrite | undefined;
  /** Put Blob, Put Block List and Copy Blob tell the version that they have made. */
  const noteWrite = ({ method, query = {} }: AzureRequest, { headers }: HttpResponse): void => {
    const at = Date.parse(headers['last-modified'] ?? '');
    if (method !== 'PUT' || Number.isNaN(at) || (query['comp'] !== undefined && query['comp'] !== 'blocklist')) return;
    lastWrite = { at, isVersioned: headers['x-ms-version-id'] !== undefined };
  };

  return {
    async send(request) {
      const { method, blob, ofAccount, query = {}, headers = {}, body, size, signal } = request;
      const path = ofAccount ? `${base}/` : pathOf(blob);
      const contentLength = size ?? (body === undefined || body instanceof Readable ? 0 : Buffer.byteLength(body));
      const full: Record<string, string> = {
        ...headers,
        'x-ms-date': new Date().toUTCString(),
        'x-ms-version': version,
        ...(method === 'PUT' && contentLength === 0 && { 'content-length': '0' }),
      };
      const search = encodeQuery(query);
      const response = await http.request({
        method,
        path: search ? `${path}?${search}` : path,
        headers: { ...full, authorization: sharedKey({ method, path, query, headers: full, contentLength }, account, secret) },
        signal,
        ...(body !== undefined && { body }),
        ...(size !== undefined && { size }),
      });
      if (response.status < 300) {
        noteWrite(request, response);
        return response;
      }
      throw await azureError(response, { ofContainer: blob === undefined, otherAccount });
    },
    addressOf: (blob, of = {}) => [origin + pathOf(blob), encodeQuery(of)].filter(Boolean).join('?'),
    sharedAddressOf(blob) {
      const expires = Date.now() + sharedFor;
      const isHttpsOnly = origin.startsWith('https:');
      const name = blobNameOf(blob);
      return `${origin}${pathOf(blob)}?${readAccess({ account: accountIn(config), container, blob: name, expires, isHttpsOnly }, secret)}`;
    },
    lastWrite: () => lastWrite,
    account: origin + base,
    service: serviceOf(config),
    close: () => http.close(),
  };
}

/** Returns the account named by the endpoint's path or host; otherwise the link's account. */
const accountIn = ({ origin, base, account }: AzureConfig): string =>
  base.slice(1) || (/^https?:\/\/([a-z0-9]{3,24})\.blob\./.exec(origin)?.[1] ?? account);

/**
 * Returns the endpoint without the account, where it contains the account; otherwise the whole endpoint, because its structure is unknown.
 */
function serviceOf({ origin, base, account }: AzureConfig): string {
  if (base !== '') return origin;
  const { protocol, host } = new URL(origin);
  return host.startsWith(`${account}.`) ? `${protocol}//${host.slice(account.length + 1)}` : origin;
}

/** Percent-encodes everything except RFC 3986's unreserved characters. */
const encodePart = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
const encodeQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encodePart(value)}`)
    .join('&');
const encodePath = (name: string): string => name.split('/').map(encodePart).join('/');
