import { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import type { Chunks } from '../body/chunks.ts';
import { createHttp } from '../http/http-client.ts';
import type { HttpResponse } from '../http/http.ts';
import { parseJson } from './json.ts';

type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** One request to a provider's API. It may have one of `json`, `form` and `body`. */
export interface ApiRequest {
  readonly method: string;
  /** Percent-encoded path below the base URL, or an absolute URL from the provider. */
  readonly url: string;
  readonly query?: Values;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Values;
  readonly body?: Readable | Uint8Array | Chunks | string;
  /** Length of a streamed body. */
  readonly size?: number;
  readonly signal: AbortSignal;
  readonly headTimeout?: number;
  /** False for pre-authorized URLs, to which the token is not sent. */
  readonly authorized?: boolean;
  /** Statuses that count as success besides 2xx. */
  readonly accepts?: readonly number[];
}

export interface Api {
  /** Returns a successful response with its body unread. Follows redirects of a GET, without the token if they lead to another host. */
  send(request: ApiRequest): Promise<HttpResponse>;
  /** Sends a request and returns the response's JSON, validated. */
  json<S extends TSchema>(schema: S, request: ApiRequest): Promise<Static<S>>;
  /** Sends a request whose response body does not matter. */
  done(request: ApiRequest): Promise<void>;
  close(): void;
}

interface Options {
  readonly env: Env;
  /** Base URL, without a trailing slash. */
  readonly base: string;
  /** Further headers of every authorized request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Scheme of the token; `Bearer` by default. */
  readonly scheme?: string;
  readonly maxConnections?: number;
  /** Maps an error response; `text` is the beginning of its body. */
  readonly refusal: (response: HttpResponse, text: string) => ConnectorError;
  /** Maximum size of a JSON response in bytes. */
  readonly limit?: number;
}

const mostRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const errorLimit = 64 * 1024;
const answerLimit = 32 * 1024 * 1024;

/**
 * A provider's API over HTTP: JSON in and out, with the link's token; renews the token and retries once when the provider refuses it. A
 * second refusal rejects with `needsAuthorization`.
 */
export function createApi({
  env,
  base,
  headers: always = {},
  scheme = 'Bearer',
  maxConnections = 8,
  refusal,
  limit = answerLimit,
}: Options): Api {
  const home = new URL(base);
  const http = createHttp({ origin: home.origin, dialer: env.dialer, verify: true, maxConnections });

  function addressOf({ url, query = {} }: ApiRequest): URL {
    const address = new URL(/^https?:\/\//i.test(url) ? url : base + url);
    const text = formOf(query);
    if (text !== '') address.search = address.search === '' ? text : `${address.search.slice(1)}&${text}`;
    return address;
  }

  async function once(request: ApiRequest, token: string | undefined): Promise<HttpResponse> {
    let address = addressOf(request);
    const { json, form, signal, headTimeout, size, method } = request;
    const body = json !== undefined ? JSON.stringify(json) : form !== undefined ? formOf(form) : request.body;
    const type = json !== undefined ? 'application/json' : form !== undefined ? 'application/x-www-form-urlencoded' : undefined;
    for (let hop = 0; ; hop++) {
      const isHome = hop === 0 || address.origin === home.origin;
      const response = await http.request({
        method,
        origin: address.origin,
        path: address.pathname + address.search,
        signal,
        headers: {
          accept: 'application/json',
          ...(token !== undefined && isHome && { ...always, authorization: `${scheme} ${token}` }),
          ...(type !== undefined && { 'content-type': type }),
          ...request.headers,
        },
        ...(body !== undefined && { body }),
        ...(size !== undefined && { size }),
        ...(headTimeout !== undefined && { headTimeout }),
      });
      const { location } = response.headers;
      const isAccepted = request.accepts?.includes(response.status) ?? false;
      if (isAccepted || !redirects.has(response.status) || method !== 'GET' || location === undefined) return response;
      await response.discard();
      if (hop >= mostRedirects) throw new ConnectorError('unexpected', 'the service sends the request on and on');
      address = onward(location, address);
    }
  }

  async function send(request: ApiRequest): Promise<HttpResponse> {
    const tokens = request.authorized === false ? undefined : env.tokens;
    const token = await tokens?.access(request.signal);
    const first = await once(request, token);
    if (first.status !== 401 || !tokens || token === undefined || isSpent(request.body)) return successful(first, request);
    await first.discard();
    const second = await once(request, await tokens.access(request.signal, token));
    if (second.status !== 401) return successful(second, request);
    await second.discard();
    throw new ConnectorError('needsAuthorization', 'the service refuses a new token as well');
  }

  async function successful(response: HttpResponse, { accepts = [] }: ApiRequest): Promise<HttpResponse> {
    const { status } = response;
    if ((status >= 200 && status < 300) || accepts.includes(status)) return response;
    throw refusal(response, await beginningOf(response));
  }

  return {
    send,
    json: async (schema, request) => parseJson(schema, await (await send(request)).text(limit)),
    done: async (request) => (await send(request)).discard(),
    close: () => http.close(),
  };
}

/** Encodes `a=1&b=2` with percent signs; omits undefined values. */
export const formOf = (values: Values): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`]))
    .join('&');

const isSpent = (body: ApiRequest['body']): boolean => body instanceof Readable && body.readableDidRead;

function onward(location: string, from: URL): URL {
  const next = URL.parse(location, from);
  const isSafe = next && (next.protocol === 'https:' || next.protocol === from.protocol);
  if (!isSafe) throw new ConnectorError('unexpected', 'the service sends the request to a place it may not go');
  return next;
}

/** Returns the body of an error response; empty when it is too long or breaks off. */
async function beginningOf(response: HttpResponse): Promise<string> {
  try {
    return await response.text(errorLimit);
  } catch (error) {
    if (error instanceof ConnectorError && (error.kind === 'unexpected' || error.kind === 'interrupted')) return '';
    throw error;
  }
}
