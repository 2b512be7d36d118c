import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Body, SentFile } from './body.ts';
import type { Account, Identity } from './identity.ts';
import type { Reply } from './reply.ts';

/** A validated and authorized request. */
export interface SimulatedRequest {
  readonly method: string;
  /** As sent, with the mount's prefix and without the query. */
  readonly path: string;
  /** The operation's key, e.g. `GET /files/{id}`. */
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The authenticated account. Throws in an operation without authentication. */
  readonly account: Account;
  readonly token: string;
  readonly scopes: readonly string[];
  /** The JSON of the body, or of the first part of multipart/related; already validated, so that the caller names its type. */
  json<T = unknown>(): T;
  /** The fields of a form, those before the file in multipart/form-data. Empty without a form. */
  readonly form: URLSearchParams;
  /** The file of a multipart body. */
  readonly file: SentFile | undefined;
  /** The raw body. */
  readonly stream: Readable;
  /** Returns an absolute URL at this simulator, as the client sees it. */
  url(path: string): string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

export type Handler = (request: SimulatedRequest) => Reply | Promise<Reply>;

interface Parts {
  readonly incoming: IncomingMessage;
  readonly path: string;
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly identity: Identity | undefined;
  readonly body: Body;
  readonly stream: Readable;
  readonly signal: AbortSignal;
}

/** Builds the request for a handler. */
export function toRequest({ incoming, identity, body, ...rest }: Parts): SimulatedRequest {
  const known = (): Identity => {
    if (!identity) throw new Error(`${rest.operation} is open: it has no account`);
    return identity;
  };
  return {
    ...rest,
    method: incoming.method ?? 'GET',
    headers: incoming.headers,
    get account() {
      return known().account;
    },
    get token() {
      return known().token;
    },
    get scopes() {
      return known().scopes;
    },
    json: <T>() => body.json as T,
    form: body.form ?? new URLSearchParams(),
    file: body.file,
    url: (path) => `http://${incoming.headers.host ?? '127.0.0.1'}${path}`,
  };
}
