import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import { createHttp } from '../../kit/http/http-client.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { segmentsOf } from '../../kit/names/path.ts';
import { parseJson } from '../../kit/rest/json.ts';
import type { CopyConfig } from './config.ts';
import { copyError } from './errors.ts';
import { authorizationOf, encode } from './signature.ts';

export interface CopyRequest {
  readonly method: 'DELETE' | 'GET' | 'POST' | 'PUT';
  /** API section: `meta/copy`, `files` or `user`. */
  readonly place: 'files' | 'meta/copy' | 'user';
  /** The connector's path below that section. */
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable | Uint8Array;
  readonly size?: number;
  readonly signal: AbortSignal;
  readonly accepts?: readonly number[];
}

export interface CopyClient {
  send(request: CopyRequest): Promise<HttpResponse>;
  json<S extends TSchema>(schema: S, request: CopyRequest): Promise<Static<S>>;
  close(): void;
}

/** Encodes a connector path for a URL, without the leading slash. Throws `badName`. */
export const encodePath = (path: string): string => segmentsOf(path).map(encode).join('/');

/** Connections of one link. */
export const maxConnections = 8;
/** Maximum bytes of a folder listing, which is not paged. */
const answerLimit = 32 * 1024 * 1024;

/** Sends signed requests to a server that speaks Copy's protocol; rejects with `unreachable` when the operator has configured no URL. */
export function createCopyClient({ token, tokenSecret }: CopyConfig, { dialer, app }: Pick<Env, 'app' | 'dialer'>): CopyClient {
  const { apiUrl, clientId: consumerKey = '', clientSecret: consumerSecret = '' } = app ?? {};
  if (apiUrl === undefined) throw new ConnectorError('unreachable', 'the service has ended, and no other address is set');
  const { origin, pathname } = new URL(apiUrl);
  const base = pathname.replace(/\/$/, '');
  const http = createHttp({ origin, dialer, verify: true, maxConnections });

  async function send({ method, place, path = '/', query = {}, headers, accepts = [], ...rest }: CopyRequest): Promise<HttpResponse> {
    const below = encodePath(path);
    const at = `${base}/rest/${place}${below === '' ? (place === 'files' ? '/' : '') : `/${below}`}`;
    const authorization = authorizationOf(method, origin + at, query, { consumerKey, consumerSecret, token, tokenSecret });
    const search = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
    const response = await http.request({
      method,
      path: search.length === 0 ? at : `${at}?${search.join('&')}`,
      headers: { accept: 'application/json', 'x-api-version': '1', ...headers, authorization },
      ...rest,
    });
    if (response.status < 300 || accepts.includes(response.status)) return response;
    throw await copyError(response);
  }

  return {
    send,
    json: async (schema, request) => parseJson(schema, await (await send(request)).text(answerLimit)),
    close: () => http.close(),
  };
}
